import type { Agent, Run, RunResult, StreamPart } from "rein";
import { Person } from "./ask-person.ts";
import { askText } from "./ask-text.ts";
import type { CommandContext } from "./command-context.ts";
import { deniedCalls } from "./denied-calls.ts";
import { EXIT, exitCodeOfReason } from "./exit-code.ts";
import { onInterrupt } from "./interrupts.ts";
import type { RunFlags } from "./run-options.ts";
import { type PrinterOptions, RunPrinter } from "./run-printer.ts";
import { runReport } from "./run-report.ts";

/** A run to be driven from the command line. */
export interface DriveOptions extends Pick<PrinterOptions, "folder" | "opening" | "open"> {
  readonly agent: Agent;
  readonly run: Run;
  readonly output: RunFlags["output"];
  /** A person at this terminal is asked. */
  readonly asks: boolean;
}

/** Drives a run to its end, prints it, asks the person here, and gives the exit code. */
export async function driveRun(context: CommandContext, options: DriveOptions): Promise<number> {
  const { output } = context;
  const { run, agent } = options;
  const isText = options.output === "text";
  const printer = new RunPrinter(context, { ...options, text: isText });
  const answers = options.asks ? new Answers(context, agent, printer) : null;
  // Whoever leaves early sees the end of the run in the loop below, so what comes of leaving is not lost.
  const leave = (): void => void run.return().catch(() => undefined);
  const offFault = output.onFault(leave);
  const offInterrupt = onInterrupt(() => {
    printer.note("! interrupted; once more to leave at once");
    leave();
  });
  try {
    const result = await toEnd(run, (part) => {
      printer.part(part);
      answers?.part(part);
    });
    printer.endText();
    // Where the output went is said once all is over.
    if (output.fault !== null) return output.fault.code === "EPIPE" ? EXIT.interrupted : EXIT.failed;
    if (!isText) output.text(`${JSON.stringify(jsonResult(result))}\n`);
    const denied = await deniedCalls(agent, result.session, options.folder, printer.denied);
    const calls = { asked: (call: string) => printer.asked(call), recovery: printer.recovery, denied };
    for (const line of runReport(context, result, calls)) output.note(line);
    return exitCodeOfReason(result.reason);
  } finally {
    answers?.close();
    offInterrupt();
    offFault();
  }
}

async function toEnd(run: Run, onPart: (part: StreamPart) => void): Promise<RunResult> {
  for (;;) {
    const next = await run.next();
    if (next.done === true) return next.value;
    onPart(next.value);
  }
}

function jsonResult({ session, reason, text, usage, waiting, killed, error }: RunResult) {
  const { class: kind, code, message, hint } = error ?? {};
  return {
    session,
    reason,
    text,
    usage,
    waiting,
    ...(killed !== undefined && { killed }),
    error: error === undefined ? null : { class: kind, code, message, hint },
  };
}

/** Asks the person at the terminal about each call that must be asked about, and hands on what they say. */
class Answers {
  readonly #context: CommandContext;
  readonly #agent: Agent;
  readonly #printer: RunPrinter;
  readonly #person: Person;
  readonly #open = new Map<string, AbortController>();
  #session = "";

  constructor(context: CommandContext, agent: Agent, printer: RunPrinter) {
    this.#context = context;
    this.#agent = agent;
    this.#printer = printer;
    this.#person = new Person(context.input, process.stderr);
  }

  part(part: StreamPart): void {
    if (part.type === "session_opened") this.#session = part.session;
    // Somebody else was quicker, or the call is over: the question is no longer one.
    if (part.type === "approval_answered" || part.type === "tool_result") this.#open.get(part.call)?.abort();
    if (part.type === "approval_requested") void this.#ask(part).catch((thrown) => this.#failed(thrown));
  }

  close(): void {
    for (const controller of this.#open.values()) controller.abort();
    this.#person.close();
  }

  async #ask({ call, digest, shows }: Extract<StreamPart, { readonly type: "approval_requested" }>): Promise<void> {
    const controller = new AbortController();
    this.#open.set(call, controller);
    this.#printer.endText();
    const yes = await this.#person.ask(`${askText(shows)}\n  Let this call run? [y/N] `, controller.signal);
    this.#open.delete(call);
    if (yes === null) return;
    await this.#agent.send(this.#session, { kind: yes ? "approve" : "deny", call, digest });
  }

  #failed(thrown: unknown): void {
    const text = thrown instanceof Error ? thrown.message : String(thrown);
    this.#context.output.note(`! the answer could not be given: ${text}`);
  }
}
