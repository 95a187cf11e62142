import { type Command, Option } from "commander";
import type { Agent, SettingsChange } from "rein";
import { repeated, wholeNumber } from "./option-values.ts";

/** Options that `run` and `resume` share. */
export interface RunFlags {
  readonly model?: string;
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: "deny" | "wait";
  readonly maxTurns?: number;
  readonly output: "text" | "json";
  readonly rehearsalDelay?: number;
}

/** Most model calls that a person can mean, and the longest rest of the rehearsal model, milliseconds. */
const MOST_TURNS = 1_000_000;
const MOST_REST = 60_000;

/** Adds them. */
export function addRunOptions(command: Command): Command {
  return command
    .option("--model <id>", "Model; so far there is only `rehearsal`, which is rule-based and no language model.")
    .option(
      "--allow <rule>",
      "Let calls run unasked, as `Bash(npm test)` or `Write(report/**)`; may be repeated.",
      repeated,
    )
    .option("--deny <rule>", "Never let calls run; may be repeated.", repeated)
    .addOption(
      new Option(
        "--ask <how>",
        "What becomes of a call that nothing allows: asked about and waited for, or denied (the default where nobody can be asked).",
      ).choices(["deny", "wait"]),
    )
    .option("--max-turns <n>", "Most model calls of this run.", wholeNumber(1, MOST_TURNS))
    .addOption(
      new Option("--output <form>", "What standard output gets: text as it comes, or one JSON object at the end.")
        .choices(["text", "json"])
        .default("text"),
    )
    .option(
      "--rehearsal-delay <ms>",
      "Let the rehearsal model rest before each piece, so that one can interrupt it.",
      wholeNumber(0, MOST_REST),
    );
}

/** What the options change in a session that exists: rules are added to those it has. */
export async function changeOf(
  agent: Agent,
  session: string,
  flags: RunFlags,
): Promise<{ readonly change?: SettingsChange }> {
  const { settings } = (await agent.state(session)).kernel;
  if (settings === null) return {};
  const { rules, limits } = settings;
  const hasRules = flags.allow !== undefined || flags.deny !== undefined;
  const change: SettingsChange = {
    ...(flags.model !== undefined && { models: [flags.model] }),
    ...(hasRules && { rules: { allow: joined(rules.allow, flags.allow), deny: joined(rules.deny, flags.deny) } }),
    ...(flags.ask !== undefined && { ask: flags.ask }),
    ...(flags.maxTurns !== undefined && { limits: { ...limits, maxTurns: flags.maxTurns } }),
  };
  return Object.keys(change).length === 0 ? {} : { change };
}

function joined(before: readonly string[], added: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...added])];
}
