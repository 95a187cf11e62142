/** What a model said at its end, looked at before a log keeps it: an adapter may have been written against its types. */
import { ERROR_CODES, reinError, textOfThrown } from "../../errors.ts";
import { isJsonObject } from "../../json.ts";
import { blockFault } from "../../message/block-shape.ts";
import type { Block } from "../../message/message.ts";
import { packedMap } from "../../packed-map.ts";
import type { ModelStreamPart } from "../../ports.ts";
import type { EventError, StopReason, Usage } from "../../session/kernel-events.ts";
import { walkableBlock } from "./walkable-block.ts";

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

/** The longest wait that a provider may ask for, milliseconds. */
const LONGEST_WAIT = 3_600_000;

type Done = ModelStreamPart & { type: "done" };

/** The blocks of an end, or what is wrong with it. */
export type OwnContent =
  | { readonly ok: true; readonly content: readonly Block[] }
  | { readonly ok: false; readonly fault: string };

/**
 * The blocks of an end as JSON carries them, in objects that nobody else holds: what is judged and run later is what the log says, even
 * if the adapter goes on using its own.
 */
export function ownContent(part: Done): OwnContent {
  const fault = endFault(part);
  if (fault !== null) return { ok: false, fault };
  try {
    const content: readonly Block[] = JSON.parse(JSON.stringify(packedMap(part.content, walkableBlock)));
    return { ok: true, content };
  } catch (thrown) {
    return { ok: false, fault: `its content is no JSON: ${textOfThrown(thrown)}` };
  }
}

/** What is wrong with an end; null when nothing is. */
function endFault({ content, stop }: Done): string | null {
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
  if (odd.length === 0 && Object.keys(usage).every(isMember)) return usage;
  const figures = FIGURES.flatMap((name) => (usage[name] === undefined ? [] : [[name, usage[name]] as const]));
  const zeros = Object.fromEntries(odd.map((name) => [name, 0]));
  const estimated = odd.length > 0 || usage.estimated === true;
  return { input: 0, output: 0, ...Object.fromEntries(figures), ...zeros, ...(estimated && { estimated }) };
}

function isMember(name: string): boolean {
  return name === "estimated" || FIGURES.some((figure) => figure === name);
}

/** A fault as the family has it: a code that nobody knows is one of the protocol, and a class follows from its code. */
export function soundError({ code, message, hint }: EventError): EventError {
  const known = Object.hasOwn(ERROR_CODES, code) ? code : "model_protocol";
  const error = reinError(known, textOr(message, "The model failed."), textOr(hint, "Look at the model's adapter."));
  return { class: error.class, code: error.code, message: error.message, hint: error.hint };
}

/** The wait that a provider asks for, at most an hour; undefined when it is none. */
export function soundWait(wait: number | undefined): number | undefined {
  return typeof wait === "number" && wait >= 0 ? Math.min(wait, LONGEST_WAIT) : undefined;
}

function textOr(text: unknown, other: string): string {
  return typeof text === "string" && text !== "" ? text.toWellFormed() : other;
}

function isFigure(value: unknown, required: boolean): boolean {
  if (value === undefined) return !required;
  return typeof value === "number" && value >= 0 && value <= Number.MAX_SAFE_INTEGER;
}
