import { counted } from "./counted.ts";
import { oneLine, plainText } from "./one-line.ts";

/** A longer argument gets lines of its own. */
const SHORT = 100;

/** What a person is shown of a call before they answer: each argument, long texts line by line, at most `lines` of each. */
export function askText(shows: string, lines = 100): string {
  const space = shows.indexOf(" ");
  const tool = oneLine(space < 0 ? shows : shows.slice(0, space));
  const input = argumentsIn(shows.slice(space + 1));
  if (input === null) return `  ${plainText(shows)}`;
  return [
    `  ${tool}`,
    ...Object.entries(input).flatMap(([name, value]) => argumentLines(oneLine(name), value, lines)),
  ].join("\n");
}

function argumentLines(name: string, value: unknown, most: number): readonly string[] {
  const text = plainText(typeof value === "string" ? value : JSON.stringify(value));
  if (text.length <= SHORT && !text.includes("\n")) return [`    ${name}: ${text}`];
  const lines = text.split("\n");
  const more = lines.length - most;
  const shown = lines.slice(0, most).map((line) => `      | ${line}`);
  return [`    ${name}:`, ...shown, ...(more > 0 ? [`      … ${counted(more, "more line")} not shown here`] : [])];
}

function argumentsIn(json: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    // Not of the form we know: it is shown as it came.
    return null;
  }
}
