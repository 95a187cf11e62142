import { type CallEffect, type StreamPart, textOf } from "rein";
import { callText } from "./call-text.ts";
import type { CommandContext } from "./command-context.ts";
import { counted } from "./counted.ts";
import { oneLine, plainText } from "./one-line.ts";

/** A call as it was judged. */
export interface JudgedCall {
  readonly call: string;
  readonly name: string;
  readonly effects: readonly CallEffect[];
}

/** What a printer knows of the run it prints. */
export interface PrinterOptions {
  /** Whether the model's words go to standard output. */
  readonly text: boolean;
  readonly folder: string;
  /** Calls that were judged before this run and are still open. */
  readonly open?: readonly JudgedCall[];
  /** Lines told once the session is open. */
  readonly opening: (part: Extract<StreamPart, { readonly type: "session_opened" }>) => readonly string[];
}

/** Prints a run as it comes: the model's words to standard output, what happens in short lines to standard error. */
export class RunPrinter {
  readonly #context: CommandContext;
  readonly #options: PrinterOptions;
  readonly #calls = new Map<string, string>();
  readonly #asked = new Map<string, string>();
  readonly #denied: JudgedCall[] = [];
  #crashed = false;
  #again = 0;
  #unknown = 0;
  /** The last text did not end its line. */
  #open = false;

  constructor(context: CommandContext, options: PrinterOptions) {
    this.#context = context;
    this.#options = options;
    for (const { call, name, effects } of options.open ?? []) this.#remember(call, name, effects);
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
        this.#crashed = part.crashed;
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
        if (part.attempt > 1) this.#again += 1;
        this.note(`> ${this.call(part.call)}${part.attempt > 1 ? ` (once more: attempt ${part.attempt})` : ""}`);
        break;
      case "tool_progress":
        if (part.kind === "step")
          this.note(`  ${part.step}${part.total === undefined ? "" : `/${part.total}`} ${oneLine(part.text)}`);
        break;
      case "tool_result":
        if (part.outcome === "unknown") this.#unknown += 1;
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

  /** Calls that were denied because nothing allows them. */
  get denied(): readonly JudgedCall[] {
    return this.#denied;
  }

  /** What a crash has left and how it was mended, in a line; null when there was none. */
  get recovery(): string | null {
    const told = [
      ...(this.#again > 0 ? [`${counted(this.#again, "interrupted call")} ran again`] : []),
      ...(this.#unknown > 0
        ? [`of ${counted(this.#unknown, "call")} nobody knows whether it took effect, and the model was told so`]
        : []),
    ];
    if (this.#crashed) return `Taken up after a crash: ${told.join("; ") || "no call had to be repeated or given up"}.`;
    return told.length === 0 ? null : `Interrupted: ${told.join("; ")}.`;
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
      this.#denied.push({ call, name, effects });
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
  const more = lines.length > 1 ? ` … ${counted(lines.length - 1, "more line")}` : "";
  const how = outcome === "ok" ? "" : `${outcome}: `;
  return `${how}${oneLine(lines[0] ?? "", outcome === "ok" ? 100 : 300)}${more} (${(duration / 1000).toFixed(2)} s)`;
}
