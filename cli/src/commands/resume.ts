import type { Command } from "commander";
import { type Agent, createAgent, isUnfinished, type RunOptions, type State, statusOf, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { driveRun } from "../drive-run.ts";
import { EXIT } from "../exit-code.ts";
import { modelOf } from "../model-of.ts";
import { openCalls } from "../open-calls.ts";
import { existingStorePath } from "../open-store.ts";
import { openingLines } from "../opening-lines.ts";
import { withJsonFailure } from "../run-failure.ts";
import { addRunOptions, changeOf, type RunFlags } from "../run-options.ts";

/** `rein resume SESSION`: goes on after a crash, an interrupt, a limit, an answer or a command that waits. */
export function defineResume(command: Command, context: CommandContext): void {
  command.argument("<session>", "Id of the session.");
  addRunOptions(command).action(async (session: string, flags: RunFlags) => {
    context.exit(await withJsonFailure(context.output, flags.output, () => resume(context, session, flags)));
  });
}

async function resume(context: CommandContext, session: string, flags: RunFlags): Promise<number> {
  const { model, about } = unwrap(await modelOf(flags.model ?? "rehearsal", flags.rehearsalDelay));
  const agent = createAgent({ model, store: { path: existingStorePath(context) } });
  try {
    const state = await agent.state(session);
    const asks = context.isTerminal && flags.ask !== "deny";
    const options = { ...(await changeOf(agent, session, flags)), stay: asks };
    const run = await runOf(context, agent, state, options);
    if (run === null) {
      const reason = state.kernel.terminated ? "killed" : "idle";
      const nothing = { session, reason, text: "", usage: null, waiting: [], error: null };
      if (flags.output === "json") context.output.text(`${JSON.stringify(nothing)}\n`);
      return EXIT.done;
    }
    const folder = state.kernel.settings?.folder ?? "";
    const opening = await openingLines(context, agent, { model: model.id, about, folder });
    const open = await openCalls(agent, state);
    return await driveRun(context, { agent, run, asks, folder, opening, open, output: flags.output });
  } finally {
    await agent.close();
  }
}

/** The run that goes on with a session; null, and a line that says why, when there is nothing to go on with. */
async function runOf(context: CommandContext, agent: Agent, state: State, options: Omit<RunOptions, "session">) {
  const { session, run, pending, paused, terminated } = state.kernel;
  const { output } = context;
  if (terminated) {
    output.note(`Session ${session} was killed and stays ended. To go on from it: ${context.typed("fork", session)}`);
    return null;
  }
  if (paused) await agent.send(session, { kind: "resume" });
  const info = unwrap(await (await agent.store()).session(session));
  const waits = (info?.inboxCount ?? 0) > 0 || pending.length > 0;
  const unfinished = isUnfinished(state.kernel);
  if (unfinished) output.note(`The last run ended (${run.ended?.reason}); it goes on from there.`);
  if (run.active || waits || unfinished) return agent.resume(session, options);
  output.note(`Session ${session} is ${statusOf(state)}: there is nothing to go on with.`);
  output.note(`To give it the next task: ${context.typed("run", "--session", session, "…")}`);
  return null;
}
