import { type Command, Option } from "commander";
import { type Agent, type AgentOptions, createAgent, fail, type State, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { driveRun } from "../drive-run.ts";
import { modelOf } from "../model-of.ts";
import { openCalls } from "../open-calls.ts";
import { openingLines } from "../opening-lines.ts";
import { newSessionId } from "../option-values.ts";
import { readTask } from "../read-task.ts";
import { withJsonFailure } from "../run-failure.ts";
import { addRunOptions, changeOf, type RunFlags } from "../run-options.ts";
import { workspaceFolder } from "../workspace-folder.ts";

interface Flags extends RunFlags {
  readonly cwd?: string;
  readonly session?: string;
  readonly durability?: "normal" | "strict";
  readonly linear?: boolean;
}

/** `rein run "task"`: makes a session, or gives the next task to one that exists. */
export function defineRun(command: Command, context: CommandContext): void {
  command
    .argument("<task>", "What is to be done, in quotes; `-` reads it from standard input.")
    .option("--cwd <folder>", "Folder the agent works in (default: the current one).");
  addRunOptions(command)
    .option("--session <id>", "Id of the session: a new one, or one to give this task to.", newSessionId)
    .addOption(
      new Option("--durability <kind>", "`strict` syncs each intent to the disk before its effect.").choices([
        "normal",
        "strict",
      ]),
    )
    .option("--linear", "One call at a time.")
    .action(async (task: string, flags: Flags) => {
      context.exit(await withJsonFailure(context.output, flags.output, () => run(context, task, flags)));
    });
}

async function run(context: CommandContext, given: string, flags: Flags): Promise<number> {
  const task = unwrap(await readTask(given, context.input));
  const folder = unwrap(workspaceFolder(flags.cwd ?? "."));
  const { model, about } = unwrap(await modelOf(flags.model ?? "rehearsal", flags.rehearsalDelay));
  const asks = context.isTerminal && flags.ask !== "deny";
  const options: AgentOptions = {
    model,
    folder,
    store: { path: context.storePath() },
    allow: flags.allow ?? [],
    deny: flags.deny ?? [],
    ask: flags.ask ?? (asks ? "wait" : "deny"),
    linear: flags.linear ?? false,
    durability: flags.durability ?? "normal",
    ...(flags.maxTurns !== undefined && { limits: { maxTurns: flags.maxTurns } }),
  };
  const agent = createAgent(options);
  try {
    const known = await knownSession(agent, flags);
    const works = known?.kernel.settings?.folder ?? folder;
    const run = agent.run(task, {
      stay: asks,
      ...(flags.session !== undefined && { session: flags.session }),
      ...(known !== null && (await changeOf(agent, known.kernel.session, flags))),
    });
    const opening = await openingLines(context, agent, { model: model.id, about, folder: works });
    const open = known === null ? [] : await openCalls(agent, known);
    return await driveRun(context, { agent, run, asks, folder: works, opening, open, output: flags.output });
  } finally {
    await agent.close();
  }
}

/** The session of `--session`, when there is one already; what it was made with can't be given again. */
async function knownSession(agent: Agent, flags: Flags): Promise<State | null> {
  const { session } = flags;
  if (session === undefined || unwrap(await (await agent.store()).session(session)) === null) return null;
  const fixed = Object.entries({ "--cwd": flags.cwd, "--durability": flags.durability, "--linear": flags.linear }).find(
    ([, value]) => value !== undefined,
  )?.[0];
  if (fixed !== undefined) {
    const message = `Session ${session} exists, and ${fixed} belongs to the making of a session.`;
    return unwrap(fail("invalid_option", message, "Leave it out, or give another --session."));
  }
  return agent.state(session);
}
