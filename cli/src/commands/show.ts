import type { Command } from "commander";
import { fail, type Store, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { damageTeller } from "../damage-teller.ts";
import { plainText } from "../one-line.ts";
import { withReadableStore } from "../open-store.ts";
import { sessionEvents } from "../session-events.ts";
import { Transcript } from "../transcript.ts";

interface Flags {
  readonly blob?: string;
  readonly full?: boolean;
}

/** `rein show SESSION`: what was said and done, to read. */
export function defineShow(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .option("--full", "Calls and their results as a whole.")
    .option("--blob <hash>", "Write the bytes of a blob of the session instead.")
    .action((session: string, flags: Flags) =>
      withReadableStore(context, (store) => show(context, store, session, flags)),
    );
}

async function show(context: CommandContext, store: Store, session: string, flags: Flags): Promise<void> {
  const { output } = context;
  if (unwrap(await store.session(session)) === null) {
    unwrap(fail("session_unknown", `There is no session ${session} in ${store.name}.`, "See `rein sessions`."));
  }
  if (flags.blob !== undefined) return output.text(await blobOf(store, session, flags.blob));
  const transcript = new Transcript(flags.full === true);
  for await (const event of sessionEvents(store, session, 1, damageTeller(context))) {
    if (output.fault !== null) return;
    const text = transcript.textOf(event);
    if (text !== "") output.text(context.showsText ? plainText(text) : text);
  }
}

async function blobOf(store: Store, session: string, hash: string): Promise<Uint8Array> {
  const hashes = unwrap(await store.blobs(session));
  const bytes = hashes.includes(hash) ? unwrap(await store.blob(hash)) : null;
  if (bytes !== null) return bytes;
  const message = `Session ${session} keeps no blob ${hash}.`;
  return unwrap(fail("invalid_option", message, "Hashes of blobs stand in its events: see `rein log --json`."));
}
