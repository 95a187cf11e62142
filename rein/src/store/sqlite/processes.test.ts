import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { unwrap } from "../../core/errors.ts";
import type { Store } from "../../core/session/index.ts";
import { currentOwner } from "./owner.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

/** Several Node processes on a machine that may be busy with others. Milliseconds. */
const TIMEOUT = 120_000;

const folder = makeTestFolder();
afterAll(folder.remove);

interface Writer {
  readonly name: string;
  readonly child: ChildProcess;
  /** Rounds it has said were done. */
  readonly done: () => number;
  /** Resolves when it has ended and all it said was read. */
  readonly ended: Promise<unknown>;
}

function start(path: string, name: string, rounds: number): Writer {
  const child = spawn(process.execPath, [join(import.meta.dirname, "writer.worker.ts"), path, name, String(rounds)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  // Whatever becomes of the test, no process outlives it.
  onTestFinished(() => {
    child.kill("SIGKILL");
  });
  let done = 0;
  const lines = createInterface({ input: child.stdout });
  lines.on("line", () => {
    done += 1;
  });
  return { name, child, done: () => done, ended: Promise.all([once(child, "exit"), once(lines, "close")]) };
}

/** Takes what waits in the shared inbox, each command as exactly one event. */
async function takeIn(store: Store, lease: Awaited<ReturnType<typeof appendTexts>>): Promise<void> {
  const waiting = unwrap(await store.inbox("shared"));
  if (waiting.length === 0) return;
  const take = waiting.map(({ commandId }) => commandId);
  await appendTexts(
    store,
    "shared",
    waiting.map(({ payload }) => payload),
    { lease, inbox: { take } },
  );
}

describe("three processes on one file", () => {
  it(
    "lose nothing, double nothing and tear nothing, while a fourth takes their commands in",
    async () => {
      const path = folder.path();
      const store = await openGood(path, { busyMs: 60_000 });
      const lease = await appendTexts(store, "shared", ['"begin"']);
      const writers = ["a", "b", "c"].map((name) => start(path, name, 70));
      let running = true;
      const all = Promise.all(writers.map(({ ended }) => ended)).then(() => {
        running = false;
      });
      while (running) {
        await takeIn(store, lease);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      await all;
      await takeIn(store, lease);

      const ids = writers.flatMap(({ name }) => Array.from({ length: 70 }, (_, round) => `${name}-${round}`));
      const taken = (await textsOf(store, "shared")).slice(1).map((text) => JSON.parse(text ?? "null"));
      expect([...taken].sort()).toEqual([...ids].sort());
      const entries = (await textsOf(store, "ledger:shared")).map((text) => String(JSON.parse(text ?? "null")));
      expect([...entries].sort()).toEqual(ids.flatMap((id) => [`${id}/0`, `${id}/1`]).sort());
      // The two events of one append stay neighbours.
      expect(
        entries.filter((entry, index) => index % 2 === 0 && entries[index + 1] !== entry.replace(/0$/, "1")),
      ).toEqual([]);
      for (const { name } of writers) {
        const own = ids.filter((id) => id.startsWith(`${name}-`));
        expect(await textsOf(store, name)).toEqual(own);
        expect(taken.filter((id) => own.includes(id))).toEqual(own);
      }
      expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
      unwrap(await store.close());
      expect(readdirSync(join(path, "..")).sort()).toEqual(["store.db", "store.db-heads"]);
    },
    TIMEOUT,
  );

  it(
    "killed at any moment leave everything they had said was done",
    async () => {
      const path = folder.path();
      for (let round = 0; round < 3; round += 1) {
        const writers = ["a", "b", "c"].map((name) => start(path, `${name}${round}`, 2_000));
        while (writers.some(({ done }) => done() < 4 + round * 5))
          await new Promise((resolve) => setTimeout(resolve, 5));
        for (const { child } of writers) child.kill("SIGKILL");
        await Promise.all(writers.map(({ ended }) => ended));

        const store = await openGood(path);
        expect(unwrap(await store.losses())).toEqual([]);
        expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
        const waiting = new Set(unwrap(await store.inbox("shared")).map(({ commandId }) => commandId));
        const entries = new Set(await textsOf(store, "ledger:shared"));
        for (const { name, done } of writers) {
          const ids = Array.from({ length: done() }, (_, index) => `${name}-${index}`);
          expect(ids.filter((id) => !waiting.has(id) || !entries.has(JSON.stringify(`${id}/1`)))).toEqual([]);
          expect((await textsOf(store, name)).slice(0, done())).toEqual(ids);
          // Who held the session is dead, in sight: its lease does not have to expire.
          const lease = unwrap(await store.acquire(name, currentOwner(), 60_000));
          expect(lease.token).toBe(2);
          await appendTexts(store, name, ["after the kill"], { lease });
        }
        unwrap(await store.close());
      }
    },
    TIMEOUT,
  );

  it(
    "one that died leaves its sessions to be woken at once, whatever its lease says",
    async () => {
      const path = folder.path();
      const store = await openGood(path);
      const writer = start(path, "left", 2_000);
      while (writer.done() < 1) await new Promise((resolve) => setTimeout(resolve, 5));
      unwrap(await store.commit({ inbox: { put: [{ commandId: "c", session: "left", payload: "{}" }] } }));
      expect(unwrap(await store.wakeable())).not.toContain("left");
      writer.child.kill("SIGKILL");
      await writer.ended;
      expect(unwrap(await store.wakeable())).toContain("left");
      await store.close();
    },
    TIMEOUT,
  );

  it(
    "one that lost its lease appends nothing more, whoever took it",
    async () => {
      const path = folder.path();
      const writer = start(path, "held", 2_000);
      while (writer.done() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
      const store = await openGood(path);
      expect(errorOf(await store.acquire("held", currentOwner(), 60_000))).toMatchObject({
        code: "lease_held",
        place: { pid: writer.child.pid },
      });
      const lease = unwrap(await store.acquire("held", currentOwner(), 60_000, { steal: true }));
      const seq = unwrap(await store.head("held"))?.seq ?? 0;
      await writer.ended;
      expect(writer.child.exitCode).toBe(3);
      expect(unwrap(await store.head("held"))?.seq).toBe(seq);
      await appendTexts(store, "held", ["mine"], { lease });
      expect((await textsOf(store, "held")).at(-1)).toBe("mine");
      await store.close();
    },
    TIMEOUT,
  );
});
