import type { Command } from "commander";
import { fail, type Store, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { withStore } from "../open-store.ts";
import { repeated } from "../option-values.ts";

interface Flags {
  readonly blob?: readonly string[];
  readonly yes?: boolean;
}

/** `rein erase SESSION SEQ`: erases the data of an event, here and in every fork, and leaves a tombstone. */
export function defineErase(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .argument("<seq>", "Number of the event; `rein log` shows it.")
    .option("--blob <hash>", "Erase this blob of the session too; may be repeated.", repeated)
    .option("--yes", "Do it: what is erased can't be had back.")
    .action((session: string, seq: string, flags: Flags) =>
      withStore(context, (store) => erase(context, store, session, seq, flags)),
    );
}

async function erase(
  context: CommandContext,
  store: Store,
  session: string,
  given: string,
  flags: Flags,
): Promise<void> {
  const seq = /^\d+$/.test(given) ? Number(given) : 0;
  const event = seq < 1 ? undefined : unwrap(await store.read(session, { from: seq, to: seq }))[0];
  if (event === undefined) {
    return unwrap(
      fail("invalid_option", `Session ${session} has no event ${given}.`, "Give a number that `rein log` shows."),
    );
  }
  if (event.data === null && (flags.blob ?? []).length === 0) {
    return context.output.note(`Event ${seq} of session ${session} is erased already.`);
  }
  const what = `event ${seq} (${event.type}) of session ${session}, here and in every fork`;
  if (flags.yes !== true) {
    return unwrap(fail("invalid_option", `This would erase ${what}; it can't be had back.`, "Give --yes to do it."));
  }
  unwrap(await store.erase(session, seq, { blobs: flags.blob ?? [] }));
  context.output.note(`Erased ${what}. A tombstone stays, and \`rein verify\` still passes.`);
  context.output.note(
    "Not reached: exports and imports of it, backups and file system snapshots of the store, and what other events or files repeat of it.",
  );
}
