import { type CallEffect, type StreamPart, textOf } from "rein";
import { allowRulesFor } from "./allow-rules-for.ts";
import { callText } from "./call-text.ts";
import type { CommandContext } from "./command-context.ts";
import { oneLine, plainText } from "./one-line.ts";

/** What a printer knows of the run it prints. */
export interface PrinterOptions {
  /** Whether the model's words go to standard output. */
  readonly text: boolean;
  readonly folder: string;
  /** Lines told once the session is open. */
  readonly opening: (part: Extract<StreamPart, { readonly type: "session_opened" }>) => readonly string[];
}

/** Prints a run as it comes: the model's words to standard output, what happens in short lines to standard error. */
export class RunPrinter {
  readonly #context: CommandContext;
  readonly #options: PrinterOptions;
  readonly #calls = new Map<string, string>();
  readonly #asked = new Map<string, string>();
  readonly #missing = new Set<string>();
  /** The last text did not end its line. */
  #open = false;

  constructor(context: CommandContext, options: PrinterOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** A call in a few words, as far as this run has seen it. */
  call(key: string): string {
    return this.#calls.get(key) ?? `call ${key}`;
  }

  /** A line to standard error. */
  note(line: string): void {
    // Where both go to one terminal, a line begins on its own.
    if (this.#context.showsText) this.endText();
    this.#context.output.note(line);
  }

  /** Ends the line of the text, if one is open. */
  endText(): void {
    if (this.#open) this.#text("\n");
  }

  part(part: StreamPart): void {
    switch (part.type) {
      case "session_opened":
        for (const line of this.#options.opening(part)) this.note(line);
        break;
      case "text_delta":
        this.#text(part.text);
        break;
      case "content_block_end":
      case "message_end":
        this.endText();
        break;
      case "message_discarded":
        this.note(`! this message is not kept: ${oneLine(part.reason)}`);
        break;
      case "tool_judged":
        this.#judged(part);
        break;
      case "tool_start":
        this.note(`> ${this.call(part.call)}${part.attempt > 1 ? ` (once more: attempt ${part.attempt})` : ""}`);
        break;
      case "tool_progress":
        if (part.kind === "step")
          this.note(`  ${part.step}${part.total === undefined ? "" : `/${part.total}`} ${oneLine(part.text)}`);
        break;
      case "tool_result":
        // What was denied has been said already, with the reason.
        if (part.outcome !== "denied") this.note(`< ${part.name}: ${resultLine(part)}`);
        break;
      case "approval_requested":
        this.#asked.set(part.call, part.shows);
        break;
      case "approval_answered":
        this.note(`  ${part.answer === "approve" ? "approved" : "denied"} by a person: ${this.call(part.call)}`);
        break;
      case "notice":
        this.note(`! ${oneLine(part.text, 300)}`);
        break;
      default:
        break;
    }
  }

  /** What was asked about a call, in full. */
  asked(key: string): string {
    return this.#asked.get(key) ?? this.call(key);
  }

  /** Rules that would have let the calls run which no rule allowed. */
  get missingRules(): readonly string[] {
    return [...this.#missing];
  }

  #judged({
    call,
    name,
    decision,
    policy,
    reason,
    effects,
  }: Extract<StreamPart, { readonly type: "tool_judged" }>): void {
    this.#remember(call, name, effects);
    if (decision === "deny" && policy === "no-grant") {
      for (const rule of allowRulesFor(name, effects, this.#options.folder)) this.#missing.add(rule);
    }
    if (decision === "deny") this.note(`x ${this.call(call)} — denied: ${oneLine(reason, 200)}`);
    if (decision === "ask") this.note(`? ${this.call(call)} — ${oneLine(reason, 200)}`);
  }

  #remember(call: string, name: string, effects: readonly CallEffect[]): void {
    this.#calls.set(call, oneLine(callText(name, effects, this.#options.folder)));
  }

  #text(text: string): void {
    if (!this.#options.text || text === "") return;
    this.#context.output.text(this.#context.showsText ? plainText(text) : text);
    this.#open = !text.endsWith("\n");
  }
}

function resultLine({ content, outcome, duration }: Extract<StreamPart, { readonly type: "tool_result" }>): string {
  const lines = textOf(content).trim().split("\n");
  const more = lines.length > 1 ? ` … ${lines.length - 1} more lines` : "";
  const how = outcome === "ok" ? "" : `${outcome}: `;
  return `${how}${oneLine(lines[0] ?? "", outcome === "ok" ? 100 : 300)}${more} (${(duration / 1000).toFixed(2)} s)`;
}
