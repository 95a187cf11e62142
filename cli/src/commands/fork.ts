import type { Command } from "commander";
import { createAgent, createScriptedModel, isUnfinished, type SessionSettings } from "rein";
import { type CommandContext, quoted } from "../command-context.ts";
import { counted } from "../counted.ts";
import { existingStorePath } from "../open-store.ts";
import { newSessionId, wholeNumber } from "../option-values.ts";

interface Flags {
  readonly at?: number;
  readonly as?: string;
}

/** `rein fork SESSION`: a session that has the events of another up to a place, and goes its own way from there. */
export function defineFork(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .option("--at <seq>", "Last event that the fork has (default: the newest).", wholeNumber(1))
    .option("--as <id>", "Id of the fork (default: a new one).", newSessionId)
    .action((session: string, flags: Flags) => fork(context, session, flags));
}

async function fork(context: CommandContext, parent: string, flags: Flags): Promise<void> {
  const agent = createAgent({ model: createScriptedModel([]), store: { path: existingStorePath(context) } });
  try {
    const place = flags.at === undefined ? {} : { seq: flags.at };
    const id = flags.as === undefined ? {} : { session: flags.as };
    const { session, seq, kept } = await agent.fork(parent, { ...place, ...id });
    const { kernel } = await agent.state(session);
    const { output, typed } = context;
    output.note(`Forked: ${counted(kept, "event")} kept, ${seq - kept} added that close what was open there.`);
    for (const line of settingsLines(kernel.settings)) output.note(line);
    output.note(
      isUnfinished(kernel)
        ? `To go on: ${typed("resume", session)}`
        : `To give it a task: ${typed("run", "--session", session, "…")}`,
    );
    context.output.text(`${session}\n`);
  } finally {
    await agent.close();
  }
}

/** Where a fork works, and what it may do unasked: it has both from its parent. */
function settingsLines(settings: SessionSettings | null): readonly string[] {
  if (settings === null) return [];
  const { folder, rules } = settings;
  const options = [
    ...rules.allow.map((rule) => `--allow ${quoted(rule)}`),
    ...rules.deny.map((rule) => `--deny ${quoted(rule)}`),
  ];
  return [
    `It works in the same folder, ${folder}; files there are as they are now, not as they were at that event.`,
    options.length === 0 ? "It has no rules, like its parent." : `It has the rules of its parent: ${options.join(" ")}`,
  ];
}
