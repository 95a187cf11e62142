import type { Figure } from "./figures.ts";

/** The figures as a Markdown table. */
export function table(figures: readonly Figure[]): string {
  const rows = figures.map(({ row, what, bar, measured, holds }) => [row, what, bar, measured, verdict(holds)]);
  const head = ["row", "what", "bar", "measured", ""];
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map((cell) => cell.length)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

function verdict(holds: boolean | null): string {
  if (holds === null) return "";
  return holds ? "holds" : "FAILS";
}
