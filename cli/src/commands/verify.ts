import type { Command } from "commander";
import { type Finding, fail, unwrap, verifyExport } from "rein";
import type { CommandContext } from "../command-context.ts";
import { counted } from "../counted.ts";
import { EXIT } from "../exit-code.ts";
import { findingLine } from "../finding-line.ts";
import { withWhatIsLeft } from "../open-store.ts";
import { readableFile } from "../readable-file.ts";

/** `rein verify [SESSION]`: checks hashes, order and completeness of the store, of one session, or of an exported file. */
export function defineVerify(command: Command, context: CommandContext): void {
  command
    .argument("[session]", "Only this session (default: the whole store).")
    .option("--file <path>", "Check an exported file instead of the store.")
    .action(async (session: string | undefined, flags: { readonly file?: string }) => {
      const check = flags.file === undefined ? verifyStore(context, session) : verifyFile(context, flags.file);
      context.exit((await check) ? EXIT.done : EXIT.failed);
    });
}

async function verifyStore(context: CommandContext, session: string | undefined): Promise<boolean> {
  return withWhatIsLeft(context, async (store) => {
    if (session !== undefined && unwrap(await store.head(session)) === null) {
      unwrap(fail("session_unknown", `There is no session ${session} in ${store.name}.`, "See `rein sessions`."));
    }
    const { events, streams, erased, findings } = unwrap(await store.verify(session));
    const missing = session === undefined ? unwrap(await store.losses()) : [];
    return told(
      context,
      [...missing, ...findings],
      `${counted(events, "event")} in ${counted(streams, "session")}, ${erased} erased`,
    );
  });
}

async function verifyFile(context: CommandContext, path: string): Promise<boolean> {
  const { head, events, erased, findings } = unwrap(await verifyExport(unwrap(readableFile(path))));
  return told(
    context,
    findings,
    `${counted(events, "event")} of session ${head?.session ?? "unknown"}, ${erased} erased`,
  );
}

function told({ output }: CommandContext, findings: readonly Finding[], counts: string): boolean {
  const lines = new Set(findings.map(findingLine));
  for (const line of lines) output.text(`${line}\n`);
  const whole = findings.every(({ kind }) => kind === "notice");
  output.text(whole ? `ok: ${counts}\n` : `not ok: ${counts}\n`);
  return whole;
}
