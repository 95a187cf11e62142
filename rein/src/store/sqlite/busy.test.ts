import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

/** A process that holds the write lock of a database until it is told to let go. */
async function lockedBy(path: string): Promise<{ readonly release: () => Promise<void> }> {
  const holder = spawn(process.execPath, [join(import.meta.dirname, "lock-holder.worker.ts"), path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  return {
    release: async () => {
      holder.stdin.end();
      await once(holder, "exit");
    },
  };
}

it("a lock held elsewhere is waited for without holding up the event loop", async () => {
  const path = folder.path();
  const store = await openGood(path);
  const lease = await appendTexts(store, "s", ["1"]);
  const lock = await lockedBy(path);
  let turns = 0;
  const timer = setInterval(() => {
    turns += 1;
  }, 1);
  const writes = ["2", "3"].map((text) =>
    store.commit({ appends: [{ stream: "ledger:l", events: [{ type: "x", version: 1, at: 1, data: text }] }] }),
  );
  let done = false;
  const all = Promise.all(writes).then((results) => {
    done = true;
    return results;
  });
  while (turns < 40) await new Promise((resolve) => setTimeout(resolve, 1));
  expect(done).toBe(false);
  await lock.release();
  for (const result of await all) unwrap(result);
  clearInterval(timer);
  // They were done in the order in which they were asked for, and nothing was done twice.
  expect(await textsOf(store, "ledger:l")).toEqual(["2", "3"]);
  await appendTexts(store, "s", ["4"], { lease });
  await store.close();
});

it("a lock held for too long ends in store_busy, and changes nothing", async () => {
  const path = folder.path();
  const store = await openGood(path, { busyMs: 100 });
  const lease = await appendTexts(store, "s", ["1"]);
  const lock = await lockedBy(path);
  const append = {
    stream: "s",
    expectedSeq: 1,
    token: lease.token,
    events: [{ type: "x", version: 1, at: 1, data: "2" }],
  };
  expect(errorOf(await store.commit({ appends: [append] }))).toMatchObject({
    code: "store_busy",
    place: { file: path },
  });
  expect(await textsOf(store, "s")).toEqual(["1"]);
  await lock.release();
  unwrap(await store.commit({ appends: [append] }));
  expect(await textsOf(store, "s")).toEqual(["1", "2"]);
  await store.close();
});

it("a close waits for those who wait for a lock", async () => {
  const path = folder.path();
  const store = await openGood(path);
  await appendTexts(store, "s", ["1"]);
  const lock = await lockedBy(path);
  const put = store.commit({ inbox: { put: [{ commandId: "c", session: "s", payload: "{}" }] } });
  const closed = store.close();
  await lock.release();
  unwrap(await put);
  unwrap(await closed);
  expect(errorOf(await store.read("s")).code).toBe("invalid_state");
});
