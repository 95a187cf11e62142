import { Argument, type Command } from "commander";
import {
  type Agent,
  createAgent,
  createScriptedModel,
  fail,
  isUnfinished,
  ok,
  type Result,
  type Command as SessionCommand,
  type SessionEvent,
  type State,
  type Store,
  statusOf,
  unwrap,
} from "rein";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-code.ts";
import { existingStorePath } from "../open-store.ts";
import { readTask } from "../read-task.ts";
import { sessionEvents } from "../session-events.ts";

const KINDS = ["steer", "follow-up", "approve", "deny", "interrupt", "kill", "stop", "pause", "resume"] as const;
type Kind = (typeof KINDS)[number];

const ABOUT = `
  steer TEXT        told to the model at the next safe point
  follow-up TEXT    told to the model when it is done
  approve CALL      let a call run that waits for an answer
  deny CALL         do not let it run; --note says why
  interrupt         break off what is going on
  stop              end the run at the next safe point
  pause, resume     hold at the next safe point; go on
  kill REASON       take the session by force and end it`;

/** How long to wait for the process that holds the session, milliseconds, and how often to look. */
const WAIT = 2_000;
const LOOK_AGAIN = 100;

/** `rein send SESSION …`: puts a command into a session's inbox and says what became of it. */
export function defineSend(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .addArgument(new Argument("<what>", "What is sent; see below.").choices(KINDS))
    .argument("[text]", "Text, call or reason.")
    .option("--note <text>", "With approve and deny: a word to the model.")
    .addHelpText("after", ABOUT)
    .action(async (session: string, what: Kind, text: string | undefined, flags: { readonly note?: string }) => {
      context.exit(await send(context, session, unwrap(await commandOf(context, what, text, flags.note))));
    });
}

async function commandOf(
  context: CommandContext,
  what: Kind,
  text: string | undefined,
  note: string | undefined,
): Promise<Result<SessionCommand>> {
  const noted = note === undefined ? {} : { note };
  switch (what) {
    case "steer":
    case "follow-up": {
      if (text === undefined) return missing(what, "a text");
      const said = await readTask(text, context.input, "message");
      return said.ok ? ok({ kind: "input", mode: what, content: [{ type: "text", text: said.value }] }) : said;
    }
    case "approve":
    case "deny":
      return text === undefined ? missing(what, "the call, such as 17.0") : ok({ kind: what, call: text, ...noted });
    case "kill":
      return text === undefined || text.trim() === "" ? missing(what, "a reason") : ok({ kind: "kill", reason: text });
    case "interrupt":
    case "stop":
    case "pause":
    case "resume":
      return text === undefined
        ? ok({ kind: what })
        : fail("invalid_option", `${what} takes no text.`, "Leave it out.");
  }
}

function missing(what: Kind, needs: string): Result<never> {
  return fail("invalid_option", `${what} needs ${needs}.`, "See `rein send --help`.");
}

async function send(context: CommandContext, session: string, command: SessionCommand): Promise<number> {
  const agent = createAgent({ model: createScriptedModel([]), store: { path: existingStorePath(context) } });
  try {
    if (command.kind === "kill") return await kill(context, agent, session, command.reason);
    const store = await agent.store();
    const state = await agent.state(session);
    unwrap(await worthSending(context, store, state, command));
    const { commandId, held } = await agent.send(session, command);
    const event = held ? await eventOf(store, session, state.kernel.seq + 1, commandId) : null;
    if (event !== null) return told(context, event);
    context.output.note(await stayingLine(context, store, state, held));
    return EXIT.done;
  } finally {
    await agent.close();
  }
}

/** Refuses what would only be refused later, when nobody looks any more. Whoever holds the session may be further on, and has the last word. */
async function worthSending(
  { typed }: CommandContext,
  store: Store,
  state: State,
  command: SessionCommand,
): Promise<Result<void>> {
  const { session, terminated, run, paused } = state.kernel;
  if (terminated) {
    const message = `Session ${session} was killed and takes nothing in any more.`;
    return fail("invalid_option", message, `To go on from it: ${typed("fork", session)}.`);
  }
  if (command.kind === "approve" || command.kind === "deny") return waitsFor(store, state, command.call);
  if (unwrap(await store.session(session))?.lease !== undefined) return ok(undefined);
  const ends = command.kind === "interrupt" || command.kind === "stop";
  if (ends && !run.active)
    return fail("invalid_option", `Session ${session} has no run that goes on.`, "There is nothing to end.");
  if (command.kind === "resume" && !paused && !isUnfinished(state.kernel)) {
    const message = `Session ${session} is ${statusOf(state)}: there is nothing to go on with.`;
    return fail("invalid_option", message, `To give it a task: ${typed("run", "--session", session, "…")}.`);
  }
  return ok(undefined);
}

async function waitsFor(store: Store, state: State, call: string): Promise<Result<void>> {
  const { session, open } = state.kernel;
  const waiting = open?.calls.filter(({ status }) => status === "asking") ?? [];
  const answered = unwrap(await store.inbox(session)).some(({ payload }) => isAnswerTo(payload, call));
  if (answered) {
    const message = `Call ${call} of session ${session} has been answered already, and that answer has not been taken in yet.`;
    return fail("invalid_option", message, "The first answer counts.");
  }
  if (waiting.some((open) => open.call === call)) return ok(undefined);
  const which = waiting.map((open) => `${open.call} (${open.name})`).join(", ");
  const hint = which === "" ? "No call of it waits for an answer." : `These wait: ${which}.`;
  return fail("invalid_option", `No call ${call} waits for an answer in session ${session}.`, hint);
}

function parsed(payload: string): unknown {
  try {
    return JSON.parse(payload);
  } catch {
    // Whoever takes it in refuses it.
    return null;
  }
}

function isAnswerTo(payload: string, call: string): boolean {
  const command = parsed(payload);
  if (typeof command !== "object" || command === null || !("kind" in command) || !("call" in command)) return false;
  return (command.kind === "approve" || command.kind === "deny") && command.call === call;
}

async function kill(context: CommandContext, agent: Agent, session: string, reason: string): Promise<number> {
  const killed = await agent.kill(session, reason);
  context.output.note(
    `Session ${session} was taken by force and ended (${killed.reason}). No effect starts in it any more.`,
  );
  return killed.reason === "killed" || killed.reason === "idle" ? EXIT.done : EXIT.failed;
}

/** The event that the command has become; null when nobody has taken it in yet. */
async function eventOf(store: Store, session: string, from: number, commandId: string): Promise<SessionEvent | null> {
  const end = performance.now() + WAIT;
  for (let next = from; performance.now() < end; ) {
    for await (const event of sessionEvents(store, session, next)) {
      if (commandOfEvent(event) === commandId) return event;
      next = event.seq + 1;
    }
    await new Promise<void>((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        unwatch();
        resolve();
      };
      const timer = setTimeout(done, LOOK_AGAIN);
      const unwatch = store.watch(done);
    });
  }
  return null;
}

function commandOfEvent({ data }: SessionEvent): unknown {
  return typeof data === "object" && data !== null && "commandId" in data ? data.commandId : undefined;
}

function told(context: CommandContext, { type, data, seq }: SessionEvent): number {
  if (type !== "command.refused") {
    context.output.note(`Taken in: event ${seq}, ${type}.`);
    return EXIT.done;
  }
  const reason = typeof data === "object" && data !== null && "reason" in data ? String(data.reason) : "";
  context.output.note(`Refused: ${reason} (event ${seq})`);
  return EXIT.failed;
}

async function stayingLine(context: CommandContext, store: Store, state: State, held: boolean): Promise<string> {
  const { session, run } = state.kernel;
  const goOn = context.typed("resume", session);
  const lease = held ? unwrap(await store.session(session))?.lease : undefined;
  if (lease !== undefined) {
    return `Process ${lease.owner.pid} on ${lease.owner.host} holds session ${session} and has not taken it in yet: it stays until that process does, or ${goOn}`;
  }
  const ended = run.active || run.ended === null ? "" : `, its last run ended (${run.ended.reason})`;
  return `Nobody drives session ${session}${ended}: it stays until ${goOn}`;
}
