import type { Command } from "commander";
import {
  type Agent,
  createAgent,
  createScriptedModel,
  isKernelEvent,
  ReinFailure,
  type SessionInfo,
  type Store,
  statusOf,
  textOf,
  unwrap,
} from "rein";
import { isStoreAt, livenessOf } from "rein/store";
import type { CommandContext } from "../command-context.ts";
import { oneLine } from "../one-line.ts";
import { withReadableStore } from "../open-store.ts";
import { wholeNumber } from "../option-values.ts";
import { sessionEvents } from "../session-events.ts";

/** Events among which the first words are looked for. */
const FIRST_EVENTS = 16;

/** `rein sessions`: the sessions, newest use first. */
export function defineSessions(command: Command, context: CommandContext): void {
  command
    .option("--limit <n>", "Most sessions shown.", wholeNumber(1), 50)
    .action((flags: { readonly limit: number }) => sessions(context, flags.limit));
}

async function sessions(context: CommandContext, limit: number): Promise<void> {
  const path = context.storePath();
  if (!unwrap(isStoreAt(path))) {
    context.output.note(`There are no sessions yet: no store at ${path}.`);
    return;
  }
  await withReadableStore(context, async (store) => {
    // To read states no model is asked.
    const agent = createAgent({ model: createScriptedModel([]), store });
    const found = unwrap(await store.sessions({ limit: limit + 1 }));
    const rows = [["SESSION", "STATUS", "UPDATED", "EVENTS", "FIRST WORDS"]];
    for (const info of found.slice(0, limit)) rows.push(await rowOf(store, agent, info));
    await agent.close();
    for (const line of table(rows)) context.output.text(`${line}\n`);
    if (found.length > limit) context.output.note(`There are more; show them with --limit N.`);
  });
}

async function rowOf(store: Store, agent: Agent, info: SessionInfo): Promise<string[]> {
  const updated = new Date(info.updatedAt).toISOString().slice(0, 19).replace("T", " ");
  const events = String(info.head.seq);
  try {
    return [
      oneLine(info.session),
      await statusText(agent, info),
      updated,
      events,
      await firstWords(store, info.session),
    ];
  } catch (thrown) {
    // One session that can't be read must not hide the others.
    if (!(thrown instanceof ReinFailure)) throw thrown;
    return [oneLine(info.session), thrown.error.code, updated, events, oneLine(thrown.error.message, 60)];
  }
}

async function statusText(agent: Agent, { session, lease }: SessionInfo): Promise<string> {
  const status = statusOf(await agent.state(session));
  if (lease !== undefined && livenessOf(lease.owner) !== "dead") return `${status} (process ${lease.owner.pid})`;
  return status === "running" || status === "initializing" || status === "resuming" ? "unfinished" : status;
}

async function firstWords(store: Store, session: string): Promise<string> {
  for await (const event of sessionEvents(store, session)) {
    if (isKernelEvent(event) && event.type === "input.received") return oneLine(textOf(event.data.content), 60);
    if (event.seq >= FIRST_EVENTS) break;
  }
  return "";
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}
