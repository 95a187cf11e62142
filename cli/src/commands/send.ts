import { Argument, type Command } from "commander";
import {
  type Agent,
  createAgent,
  createScriptedModel,
  fail,
  ok,
  type Result,
  type Command as SessionCommand,
  type SessionEvent,
  type Store,
  unwrap,
} from "rein";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-code.ts";
import { holderOf } from "../holder-of.ts";
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
      const said = await readTask(text, context.input);
      return said.ok ? ok({ kind: "input", mode: what, content: [{ type: "text", text: said.value }] }) : said;
    }
    case "approve":
    case "deny":
      return text === undefined ? missing(what, "the call, such as 17.0") : ok({ kind: what, call: text, ...noted });
    case "kill":
      return text === undefined ? missing(what, "a reason") : ok({ kind: "kill", reason: text });
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
    const before = unwrap(await store.head(session))?.seq ?? 0;
    const { commandId, held } = await agent.send(session, command);
    const event = held ? await eventOf(store, session, before + 1, commandId) : null;
    if (event !== null) return told(context, event);
    for (const line of await stayingLines(context, store, session)) context.output.note(line);
    return EXIT.done;
  } finally {
    await agent.close();
  }
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

async function stayingLines(context: CommandContext, store: Store, session: string): Promise<readonly string[]> {
  const lease = unwrap(await store.session(session))?.lease;
  const goOn = context.typed(`resume ${session}`);
  if (lease === undefined || holderOf(lease) === "gone")
    return [`Nobody drives session ${session}: it stays until ${goOn}`];
  return [
    `Process ${lease.owner.pid} on ${lease.owner.host} holds session ${session} and has not taken it in yet: it stays until that process does, or ${goOn}`,
  ];
}
