import type { Command } from "commander";
import { importSession, unwrap } from "rein";
import { currentOwner, openSqliteStore } from "rein/store";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-code.ts";
import { findingLine } from "../finding-line.ts";
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

async function take(context: CommandContext, file: string, flags: Flags): Promise<void> {
  const { output } = context;
  const source = file === "-" ? context.input : unwrap(readableFile(file));
  const store = unwrap(await openSqliteStore({ path: context.storePath() }));
  try {
    const as = flags.as === undefined ? {} : { as: flags.as };
    const imported = unwrap(
      await importSession(store, source, { owner: currentOwner(), salvage: flags.salvage === true, ...as }),
    );
    for (const finding of imported.findings) output.note(findingLine(finding));
    const lost = imported.lost === 0 ? "" : `, ${imported.lost} lost`;
    output.note(
      `Imported ${imported.events} events${lost}, ${imported.blobs} blobs. To go on: ${context.typed(`resume ${imported.session}`)}`,
    );
    output.note("Its allow rules did not come along: give those you want with --allow.");
    output.text(`${imported.session}\n`);
    const isWhole = imported.findings.every(({ kind }) => kind === "notice");
    if (!isWhole && flags.salvage !== true) context.exit(EXIT.failed);
  } finally {
    unwrap(await store.close());
  }
}
