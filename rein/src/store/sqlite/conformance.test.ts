import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, it } from "vitest";
import type { Store } from "../../core/session/index.ts";
import { type Harm, type StoreUnderTest, storeConformance } from "../conformance/index.ts";
import { decodeHeads, encodeHeads } from "./head-codec.ts";
import { currentOwner, openSqliteStore } from "./index.ts";

const me = currentOwner();

/** A process that lives as long as the tests, and one that has ended, both in our pid namespace. */
let living: ReturnType<typeof spawn>;
let owners: StoreUnderTest["owners"];

beforeAll(async () => {
  living = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  const ended = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  const deadPid = ended.pid ?? 0;
  await once(ended, "exit");
  const { readFileSync } = await import("node:fs");
  const stat = readFileSync(`/proc/${living.pid}/stat`, "utf8");
  const startTime = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  owners = {
    alive: me,
    other: { ...me, pid: living.pid ?? 0, startTime },
    dead: { ...me, pid: deadPid },
    reusedPid: { ...me, pid: living.pid ?? 0, startTime: "1" },
    elsewhere: { ...me, pidNamespace: "pid:[1]", pid: 7 },
  };
});

afterAll(async () => {
  living.kill("SIGKILL");
  await once(living, "exit");
});

interface Open extends StoreUnderTest {
  readonly path: string;
  readonly clock: { now: number };
}

async function open(path: string, clock: { now: number }): Promise<Store> {
  const opened = await openSqliteStore({ path, now: () => clock.now });
  if (!opened.ok) throw new Error(`${opened.error.code}: ${opened.error.message}`);
  return opened.value;
}

async function make(): Promise<Open> {
  const folder = await mkdtemp(join(tmpdir(), "rein-store-"));
  const path = join(folder, "store.db");
  const clock = { now: 0 };
  const store = await open(path, clock);
  return {
    store,
    path,
    clock,
    owners,
    setTime: (ms) => {
      clock.now = ms;
    },
    dispose: () => rm(folder, { recursive: true }),
  };
}

const known = new WeakMap<Store, Open>();
const stores = new Set<Store>();

async function makeKnown(): Promise<Open> {
  const under = await make();
  known.set(under.store, under);
  return {
    ...under,
    dispose: async () => {
      for (const store of stores) await store.close();
      stores.clear();
      await under.dispose();
    },
  };
}

function placeOf(under: StoreUnderTest): Open {
  const found = known.get(under.store);
  if (found === undefined) throw new Error("not a store of this test");
  return found;
}

async function second(under: StoreUnderTest): Promise<Store> {
  const { path, clock } = placeOf(under);
  const store = await open(path, clock);
  stores.add(store);
  return store;
}

async function reopen(under: StoreUnderTest): Promise<Store> {
  await under.store.close();
  return second(under);
}

/** Changes the file with the means of SQLite, as somebody with an editor for databases would. */
async function tamper(under: StoreUnderTest, { stream, seq, what }: Harm): Promise<Store> {
  await under.store.close();
  const db = new DatabaseSync(placeOf(under).path);
  const row = db
    .prepare(
      `SELECT e.stream, e.first, e.row, e.heads, p.body FROM envelope e JOIN payload p ON p.row = e.row JOIN stream s ON s.id = e.stream
       WHERE s.name = ? AND e.first <= ? ORDER BY e.first DESC LIMIT 1`,
    )
    .get(stream, seq);
  if (row === undefined) throw new Error(`no event ${seq}`);
  const heads = row.heads;
  const body = row.body;
  if (!(heads instanceof Uint8Array) || !(body instanceof Uint8Array)) throw new Error("no bytes");
  const index = seq - Number(row.first);
  switch (what) {
    case "append":
      db.prepare("DELETE FROM envelope WHERE stream = ? AND first = ?").run(row.stream ?? 0, row.first ?? 0);
      break;
    case "data": {
      // Each event's data is one digit behind a length and a salt.
      body[index * 18 + 17] = (body[index * 18 + 17] ?? 0) ^ 1;
      db.prepare("UPDATE payload SET body = ? WHERE row = ?").run(body, row.row ?? 0);
      break;
    }
    case "at":
    case "type": {
      const other = db.prepare("INSERT INTO kind (name) VALUES ('x.other') RETURNING id").get()?.id;
      const changed = decodeHeads(heads)?.map((head, place) => {
        if (place !== index) return head;
        return what === "at" ? { ...head, at: head.at + 1 } : { ...head, kind: Number(other) };
      });
      db.prepare("UPDATE envelope SET heads = ? WHERE stream = ? AND first = ?").run(
        encodeHeads(changed ?? []),
        row.stream ?? 0,
        row.first ?? 0,
      );
    }
  }
  db.close();
  return second(under);
}

describe("the SQLite store conforms", () => {
  for (const check of storeConformance(makeKnown, { tamper, reopen, second, modelRuns: 40, modelTime: 10_000 }))
    it(check.name, check.run);
});
