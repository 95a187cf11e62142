import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Command } from "commander";
import { importSession, unwrap } from "rein";
import { createMemoryStore, currentOwner, isStoreAt, openSqliteStore } from "rein/store";
import type { CommandContext } from "../command-context.ts";
import { counted } from "../counted.ts";
import { EXIT } from "../exit-code.ts";
import { findingLine } from "../finding-line.ts";
import { oneLine } from "../one-line.ts";
import { newSessionId } from "../option-values.ts";
import { readableFile } from "../readable-file.ts";

interface Flags {
  readonly as?: string;
  readonly salvage?: boolean;
}

/** `rein import FILE`: makes the session of an exported file. */
export function defineImport(command: Command, context: CommandContext): void {
  command
    .argument("<file>", "File that `rein export` has written; `-` reads standard input.")
    .option("--as <id>", "Another id than the one in the file.", newSessionId)
    .option("--salvage", "Take what is whole out of a damaged file.")
    .action((file: string, flags: Flags) => take(context, file, flags));
}

/** Gives the bytes of the file, `twice` where they are needed so; standard input is kept for that. */
async function sourceOf(
  { input }: CommandContext,
  file: string,
  twice: boolean,
): Promise<() => AsyncIterable<Uint8Array>> {
  if (file !== "-") return () => unwrap(readableFile(file));
  if (!twice) return () => input;
  const bytes = await buffer(input);
  return () => Readable.from([bytes]);
}

async function take(context: CommandContext, file: string, flags: Flags): Promise<void> {
  const { output } = context;
  const path = context.storePath();
  const as = flags.as === undefined ? {} : { as: flags.as };
  const options = { owner: currentOwner(), salvage: flags.salvage === true, ...as };
  const isNew = !unwrap(isStoreAt(path));
  const source = await sourceOf(context, file, isNew);
  // What is refused must not leave a new store behind.
  if (isNew) unwrap(await importSession(createMemoryStore(), source(), options));
  const store = unwrap(await openSqliteStore({ path }));
  try {
    const imported = unwrap(await importSession(store, source(), options));
    for (const finding of imported.findings) output.note(findingLine(finding));
    const lost = imported.lost === 0 ? "" : `, ${imported.lost} lost`;
    output.note(
      `Imported ${counted(imported.events, "event")}${lost}, ${counted(imported.blobs, "blob")}. To go on: ${context.typed("resume", imported.session)}`,
    );
    output.note("Its allow rules did not come along: give those you want with --allow.");
    output.text(`${context.showsText ? oneLine(imported.session, 1_000) : imported.session}\n`);
    const isWhole = imported.findings.every(({ kind }) => kind === "notice");
    if (imported.lost > 0 && flags.salvage !== true)
      output.note("What was whole was taken in; the rest is not in the file.");
    if (!isWhole && flags.salvage !== true) context.exit(EXIT.failed);
  } finally {
    unwrap(await store.close());
  }
}
