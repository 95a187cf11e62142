/**
 * Opens a store as somebody without root's powers: `ordinary.worker.ts PATH read|write`. Prints the code of the refusal, or
 * how many events the session `s` has.
 */
import { openSqliteStore } from "./open-sqlite-store.ts";
import { textsOf } from "./testing.ts";

const NOBODY = 65_534;
const [path = "", how] = process.argv.slice(2);
// Only now, when everything is loaded: nobody may not even be allowed to read the program.
if (process.getuid?.() === 0) {
  process.setgroups?.([]);
  process.setgid?.(NOBODY);
  process.setuid?.(NOBODY);
}
const opened = await openSqliteStore({ path, readOnly: how === "read" });
if (opened.ok) {
  process.stdout.write(String((await textsOf(opened.value, "s")).length));
  await opened.value.close();
} else process.stdout.write(opened.error.code);
