/**
 * Appends to a store until it is refused: `filler.worker.ts PATH`. Prints how many events it has committed and the code of
 * the refusal, then checks with the store still open that it is whole.
 */
import { unwrap } from "../../core/errors.ts";
import { currentOwner } from "./owner.ts";
import { openGood } from "./testing.ts";

const store = await openGood(process.argv[2] ?? "");
const { token } = unwrap(await store.acquire("s", currentOwner(), 60_000));
const data = JSON.stringify("x".repeat(3_000));
for (let seq = 0; ; seq += 1) {
  const done = await store.commit({
    appends: [{ stream: "s", expectedSeq: seq, token, events: [{ type: "x", version: 1, at: 1, data }] }],
  });
  if (done.ok) continue;
  const events = unwrap(await store.read("s")).length;
  const { ok } = unwrap(await store.verify());
  process.stdout.write(JSON.stringify({ seq, events, ok, code: done.error.code, hint: done.error.hint }));
  break;
}
await store.close();
