import { type Agent, unwrap } from "rein";
import type { CommandContext } from "./command-context.ts";
import { counted } from "./counted.ts";
import { findingLine } from "./finding-line.ts";
import type { PrinterOptions } from "./run-printer.ts";

/** The first lines of a run: which session, process, model, store and hands. */
export async function openingLines(
  context: CommandContext,
  agent: Agent,
  { model, about, folder }: { readonly model: string; readonly about: string; readonly folder: string },
): Promise<PrinterOptions["opening"]> {
  const hands = await agent.hands();
  // What the store has lost the session is told itself; what is only worth saying nobody else tells.
  const notices = unwrap(await (await agent.store()).losses()).filter(({ kind }) => kind === "notice");
  return ({ session, how, events, crashed }) => [
    `session ${session} · ${how === "new" ? "new" : `goes on${crashed ? " after a crash" : ""}, ${counted(events, "event")} read (${how})`} · process ${process.pid}`,
    `folder ${folder}`,
    `model ${model}: ${about}`,
    `store ${context.storePath()}`,
    `hands ${hands.name}: ${hands.containment}`,
    ...notices.map((notice) => `! ${findingLine(notice)}`),
  ];
}
