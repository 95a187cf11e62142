import type { Agent } from "rein";
import type { CommandContext } from "./command-context.ts";
import type { PrinterOptions } from "./run-printer.ts";

/** The first lines of a run: which session, process, model, store and hands. */
export async function openingLines(
  context: CommandContext,
  agent: Agent,
  { model, about, folder }: { readonly model: string; readonly about: string; readonly folder: string },
): Promise<PrinterOptions["opening"]> {
  const hands = await agent.hands();
  return ({ session, how, events }) => [
    `session ${session} · ${how === "new" ? "new" : `goes on, ${events} events read (${how})`} · process ${process.pid}`,
    `folder ${folder}`,
    `model ${model}: ${about}`,
    `store ${context.storePath()}`,
    `hands ${hands.name}: ${hands.containment}`,
  ];
}
