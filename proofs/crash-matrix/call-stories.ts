import type { Block } from "rein";
import type { LoggedEvent } from "../shared/read-log.ts";
import { tokenKey } from "./task.ts";

/** What a log tells of one call. */
export interface CallStory {
  readonly call: string;
  /** The id the model gave. */
  readonly id: string;
  readonly name: string;
  /** {@link tokenKey}. */
  readonly key: string;
  /** Each time it began; `ended` null where its process died first. */
  readonly lives: readonly { readonly ended: string | null }[];
  readonly results: number;
  readonly outcome: string | null;
  readonly text: string;
}

/** The calls of a log in the order in which they were made. */
export function callsOf(events: readonly LoggedEvent[]): readonly CallStory[] {
  return events.flatMap(({ type, seq, data }) => {
    if (type !== "model.responded") return [];
    const content = blocks(data.content);
    return content.flatMap((block, index) =>
      block.type === "tool_use" ? [storyOf(events, `${seq}.${index}`, block)] : [],
    );
  });
}

function storyOf(events: readonly LoggedEvent[], call: string, block: Block & { type: "tool_use" }): CallStory {
  const lives: { ended: string | null }[] = [];
  let open: { ended: string | null } | null = null;
  const results: LoggedEvent[] = [];
  for (const event of events) {
    if (event.type === "brain.woke") open = null;
    if (event.data.call !== call) continue;
    if (event.type === "tool.started") {
      open = { ended: null };
      lives.push(open);
    }
    if (event.type !== "tool.finished") continue;
    results.push(event);
    if (open !== null) open.ended = String(event.data.outcome);
  }
  const last = results.at(-1)?.data;
  return {
    call,
    id: block.id,
    name: block.name,
    key: tokenKey(block.name, block.input),
    lives,
    results: results.length,
    outcome: last === undefined ? null : String(last.outcome),
    text: textOf(last?.content),
  };
}

function blocks(content: unknown): readonly Block[] {
  return Array.isArray(content) ? content : [];
}

function textOf(content: unknown): string {
  return blocks(content)
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("");
}
