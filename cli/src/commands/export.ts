import { closeSync, fsyncSync, openSync, rmSync, writeFileSync } from "node:fs";
import type { Command } from "commander";
import { exportSession, fail, type Store, unwrap } from "rein";
import type { CommandContext } from "../command-context.ts";
import { EXIT } from "../exit-code.ts";
import { withReadableStore } from "../open-store.ts";
import { putInPlace } from "../put-in-place.ts";

/** `rein export SESSION`: the session as JSON Lines with hashes, from which `rein import` makes it again. */
export function defineExport(command: Command, context: CommandContext): void {
  command
    .argument("<session>", "Id of the session.")
    .option("-o, --out <file>", "File to write; it must not exist (default: standard output).")
    .action((session: string, flags: { readonly out?: string }) =>
      withReadableStore(context, (store) =>
        flags.out === undefined ? toOutput(context, store, session) : toFile(context, store, session, flags.out),
      ),
    );
}

async function toOutput({ output, exit }: CommandContext, store: Store, session: string): Promise<void> {
  for await (const line of exportSession(store, session)) {
    output.text(unwrap(line));
    if (output.fault !== null) return exit(EXIT.failed);
  }
  await output.flush();
  // Half an export is none, whoever stopped reading it.
  if (output.fault !== null) exit(EXIT.failed);
}

/** Writes beside the file first: whoever finds the file finds all of it. */
async function toFile({ output }: CommandContext, store: Store, session: string, path: string): Promise<void> {
  const beside = `${path}.${process.pid}.part`;
  const file = attempt(beside, () => openSync(beside, "wx", 0o600));
  try {
    for await (const line of exportSession(store, session)) {
      const text = unwrap(line);
      attempt(path, () => writeFileSync(file, text));
    }
    attempt(path, () => {
      fsyncSync(file);
      putInPlace(beside, path);
    });
    output.note(
      `Wrote session ${session} to ${path}. It holds all that was said and read: keep it as you would the store.`,
    );
  } finally {
    closeSync(file);
    rmSync(beside, { force: true });
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "EEXIST")
      return unwrap(fail("path_unusable", `${path} exists already.`, "Give -o another file.", { cause }));
    const text = cause instanceof Error ? cause.message : String(cause);
    return unwrap(fail("path_unusable", `${path} can't be written: ${text}.`, "Give -o another file.", { cause }));
  }
}
