import {
  type Block,
  callKey,
  isKernelEvent,
  type KernelEvent,
  type KernelEvents,
  type SessionEvent,
  textOf,
} from "rein";
import { counted } from "./counted.ts";
import { oneLine } from "./one-line.ts";

/** Lines of a result that are shown. */
const MOST_LINES = 20;

/** Turns the events of a session, in order, into text to read. */
export class Transcript {
  readonly #full: boolean;
  readonly #calls = new Map<string, string>();

  constructor(full: boolean) {
    this.#full = full;
  }

  /** The text of the next event; empty for what is not part of the story. */
  textOf(event: SessionEvent): string {
    if (event.data === undefined) return `(event ${event.seq}, ${event.type}, was erased)\n\n`;
    return isKernelEvent(event) ? this.#textOf(event) : "";
  }

  #textOf(event: KernelEvent): string {
    switch (event.type) {
      case "session.created": {
        const { models, folder } = event.data.settings;
        return `session ${event.session} · ${new Date(event.at).toISOString()} · model ${models.join(", ")} · folder ${folder}\n\n`;
      }
      case "session.forked":
        return `(forked from ${event.data.parent} at event ${event.data.seq})\n\n`;
      case "session.imported":
        return `(imported from ${event.data.from}${event.data.lost > 0 ? `; ${counted(event.data.lost, "event")} ${event.data.lost === 1 ? "was" : "were"} lost` : ""})\n\n`;
      case "input.received":
        return `## Person (${event.data.mode})\n\n${textOf(event.data.content)}\n\n`;
      case "model.responded":
        return this.#message(event);
      case "model.interrupted":
        return event.data.text === "" ? "" : `## Model (broken off by ${event.data.by})\n\n${event.data.text}\n\n`;
      case "model.failed":
        return `(the model failed: ${event.data.error.message})\n\n`;
      case "approval.answered":
        return `(a person answered ${event.data.call}: ${event.data.answer}${event.data.note === undefined ? "" : `, ${event.data.note}`})\n\n`;
      case "tool.finished":
        return this.#result(event.data);
      case "notice.added":
        return `(${event.data.kind}: ${event.data.text})\n\n`;
      case "store.lost":
        return `(${event.data.message})\n\n`;
      case "run.ended":
        return `--- run ${event.data.run} ended: ${event.data.reason}${event.data.error === undefined ? "" : ` (${event.data.error.message})`}\n\n`;
      default:
        return "";
    }
  }

  #message({ seq, data }: Extract<KernelEvent, { readonly type: "model.responded" }>): string {
    const blocks = data.content.map((block, index) => this.#block(block, callKey(seq, index)));
    return `## Model\n\n${blocks.filter((text) => text !== "").join("\n\n")}\n\n`;
  }

  #block(block: Block, call: string): string {
    switch (block.type) {
      case "text":
        return block.text;
      case "thinking":
        return block.text === "" ? "" : `(thinks: ${block.text})`;
      case "tool_use":
        this.#calls.set(call, block.name);
        return `> ${block.name} ${oneLine(block.malformed ?? JSON.stringify(block.input), this.#full ? Number.POSITIVE_INFINITY : 200)}  [${call}]`;
      case "tool_result":
      case "image":
      case "document":
      case "unknown":
        return `[${block.type}]`;
    }
  }

  #result({ call, outcome, content, duration }: KernelEvents["tool.finished"]): string {
    const lines = textOf(content).trimEnd().split("\n");
    const shown = this.#full ? lines : lines.slice(0, MOST_LINES);
    const more = lines.length - shown.length;
    const rest = more === 0 ? [] : [`    … ${counted(more, "more line")} (--full shows ${more === 1 ? "it" : "them"})`];
    const head = `< ${this.#calls.get(call) ?? "call"} ${outcome}, ${(duration / 1000).toFixed(2)} s  [${call}]`;
    return `${[head, ...shown.map((line) => `    ${line}`), ...rest].join("\n")}\n\n`;
  }
}
