/** What a model said at its end, looked at before a log keeps it: an adapter may have been written against its types. */
import { isJsonObject } from "../../json.ts";
import { blockFault } from "../../message/block-shape.ts";
import type { ModelStreamPart } from "../../ports.ts";
import type { StopReason, Usage } from "../../session/kernel-events.ts";

const STOPS: Readonly<Record<StopReason, true>> = {
  end: true,
  tool_use: true,
  max_output: true,
  stop_sequence: true,
  refusal: true,
  content_filter: true,
  pause: true,
};

const FIGURES = ["input", "output", "cacheRead", "cacheWrite", "reasoning", "cost"] as const;

/** What is wrong with an end; null when nothing is. */
export function endFault({ content, stop }: ModelStreamPart & { type: "done" }): string | null {
  if (!Array.isArray(content)) return "its content is no list of blocks";
  if (!Object.hasOwn(STOPS, stop)) return `its stop reason ${JSON.stringify(stop)} is none of those known`;
  for (const [index, block] of content.entries()) {
    if (!isJsonObject(block)) return `content[${index}] is no object`;
    if (block.type === "unknown" && typeof block.raw === "string") continue;
    const fault = blockFault(block, `content[${index}]`);
    if (fault !== null) return `${fault.path} ${fault.fault}`;
  }
  return null;
}

/** The usage of an end: a figure that is none (negative, no number) counts as 0, and the whole as an estimate. */
export function soundUsage(usage: Usage): Usage {
  const said: unknown = usage;
  if (!isJsonObject(said)) return { input: 0, output: 0, estimated: true };
  const odd = FIGURES.filter((name) => !isFigure(usage[name], name === "input" || name === "output"));
  if (odd.length === 0) return usage;
  const zeros = Object.fromEntries(odd.map((name) => [name, 0]));
  return { ...usage, ...zeros, estimated: true };
}

function isFigure(value: unknown, required: boolean): boolean {
  if (value === undefined) return !required;
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
