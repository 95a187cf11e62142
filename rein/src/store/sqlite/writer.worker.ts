/**
 * One of several processes on one file: `writer.worker.ts PATH NAME ROUNDS`. Puts a command into the session everybody
 * writes to, adds to a ledger, and appends to a session of its own, as often as it is told, and says so after each. Ends
 * with code 3 when it has lost its lease.
 */
import { ReinFailure, unwrap } from "../../core/errors.ts";
import { appendTexts, openGood } from "./testing.ts";

const [path = "", name = "", rounds = "0"] = process.argv.slice(2);
const store = await openGood(path, { busyMs: 60_000 });
let lease: Awaited<ReturnType<typeof appendTexts>> | undefined;
for (let round = 0; round < Number(rounds); round += 1) {
  const id = `${name}-${round}`;
  const command = { commandId: id, session: "shared", payload: JSON.stringify(id) };
  // The second put is the retry of a client that did not hear of the first one's end.
  for (let time = 0; time < 2; time += 1) unwrap(await store.commit({ inbox: { put: [command] } }));
  const events = [0, 1].map((part) => ({ type: "x.entry", version: 1, at: 1, data: JSON.stringify(`${id}/${part}`) }));
  unwrap(await store.commit({ appends: [{ stream: "ledger:shared", events }] }));
  try {
    lease = await appendTexts(store, name, [id], lease === undefined ? {} : { lease });
  } catch (thrown) {
    if (!(thrown instanceof ReinFailure) || thrown.error.code !== "lease_lost") throw thrown;
    process.exit(3);
  }
  process.stdout.write(`${round}\n`);
}
await store.close();
