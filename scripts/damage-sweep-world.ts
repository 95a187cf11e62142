/**
 * The store that the damage sweep harms: a little of everything a store can hold, the same for the same seed. Run as a
 * program (`damage-sweep-world.ts PATH`) it makes that store, says `ready`, and waits to be killed, so that a WAL stays.
 */
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Result } from "../rein/src/core/errors.ts";
import type { Commit, EventToStore, Lease, Store } from "../rein/src/core/session/index.ts";
import { currentOwner, openSqliteStore } from "../rein/src/store/index.ts";

const TTL = 3_600_000;
const AT = 1_800_000_000_000;

/** The value of a result; a fault while the world is made is a fault of the sweep. */
export function need<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.message}`);
}

/** Makes the world in a store that is open and empty. */
export async function makeWorld(store: Store): Promise<void> {
  const sessions = ["alpha", "beta", "gamma", "delta"];
  const leases = new Map<string, Lease>();
  for (const session of sessions) leases.set(session, need(await store.acquire(session, currentOwner(), TTL)));
  for (let turn = 0; turn < 60; turn += 1) {
    for (const session of sessions) await addTurn(store, leases, session, turn);
  }
  need(await store.fork("alpha", 77, "fork-of-alpha"));
  need(await store.fork("fork-of-alpha", 41, "fork-of-fork"));
  need(await store.fork("delta", 50, "heir-of-delta"));
  for (const fork of ["fork-of-alpha", "fork-of-fork", "heir-of-delta"]) {
    leases.set(fork, need(await store.acquire(fork, currentOwner(), TTL)));
    for (let turn = 0; turn < 4; turn += 1) await addTurn(store, leases, fork, turn);
  }
  for (const seq of [3, 40, 41, 60]) need(await store.erase("alpha", seq));
  need(await store.remove("delta"));
  await addRows(store);
  // Long enough that the WAL has begun again from its start, with old frames behind the new ones.
  for (let turn = 60; turn < 240; turn += 1) await addTurn(store, leases, "beta", turn);
}

async function addTurn(store: Store, leases: ReadonlyMap<string, Lease>, session: string, turn: number): Promise<void> {
  const lease = leases.get(session);
  if (lease === undefined) throw new Error(`no lease of ${session}`);
  const seq = need(await store.head(session))?.seq ?? 0;
  const sizes = [120, 350, turn % 7 === 0 ? 9_000 : 700, turn % 11 === 0 ? 2_300 : 60];
  const events = sizes.map(
    (size, index): EventToStore => ({
      type: `x.kind-${index}`,
      version: 1,
      at: AT + turn * 1_000 + index,
      data: textOf(session, turn, size),
    }),
  );
  const append = { stream: session, expectedSeq: seq, token: lease.token };
  need(await store.commit({ appends: [{ ...append, events: events.slice(0, 1) }] }));
  need(
    await store.commit({
      appends: [
        { ...append, expectedSeq: seq + 1, events: events.slice(1) },
        { stream: "ledger:spent", events: events.slice(0, 1) },
      ],
    }),
  );
}

async function addRows(store: Store): Promise<void> {
  const commits: Commit[] = [];
  for (let n = 0; n < 20; n += 1) {
    const bytes = Buffer.from(textOf("blob", n, 1_500));
    commits.push({
      inbox: { put: [{ commandId: `command-${n}`, session: "gamma", payload: textOf("command", n, 90) }] },
      blobs: [{ session: "beta", hash: hash("sha256", bytes, "hex"), bytes }],
      reserve: [{ scope: "day", key: `call-${n}`, amount: n, limit: 1_000 }],
      wake: [{ session: "gamma", name: `timer-${n}`, at: AT + n }],
      enqueue: [{ queue: "work", key: `job-${n}`, payload: "{}" }],
      scratch: [{ session: "waiting", key: `partial-${n}`, value: textOf("partial", n, 80) }],
    });
  }
  for (const commit of commits) need(await store.commit(commit));
  need(await store.commit({ settle: [{ scope: "day", key: "call-3", actual: 2 }] }));
  need(await store.setCursor("viewer", "beta", 12));
  need(
    await store.saveSnapshot("beta", {
      seq: 8,
      hash: "ab".repeat(32),
      version: "1",
      body: textOf("snapshot", 1, 3_000),
    }),
  );
}

function textOf(name: string, number: number, size: number): string {
  const seed = `${name}/${number}/`;
  return JSON.stringify(seed.repeat(Math.ceil(size / seed.length)).slice(0, size));
}

/** Everything a store says of what it holds, as texts that can be compared: the events, and all else. */
export interface World {
  readonly events: string;
  readonly rest: string;
}

/** Reads the world back; an error instead of it comes back as it is. */
export async function readWorld(store: Store): Promise<Result<World>> {
  const streams = ["alpha", "beta", "gamma", "fork-of-alpha", "fork-of-fork", "heir-of-delta", "ledger:spent"];
  const events: unknown[] = [];
  for (const stream of streams) {
    const read = await store.read(stream);
    if (!read.ok) return read;
    events.push([stream, read.value.map(({ seq, type, version, at, data }) => [seq, type, version, at, data])]);
  }
  const looks = [
    () => store.sessions(),
    () => store.inbox("gamma"),
    () => store.blobs("beta"),
    () => store.dueWakes("gamma"),
    () => store.counter("day"),
    () => store.scratch("waiting"),
  ];
  const rest: unknown[] = [];
  for (const look of looks) {
    const seen = await look();
    if (!seen.ok) return seen;
    rest.push(seen.value);
  }
  return { ok: true, value: { events: JSON.stringify(events), rest: JSON.stringify(rest) } };
}

if (import.meta.main) {
  const path = process.argv[2] ?? "";
  const store = need(await openSqliteStore({ path, now: () => AT + 500 }));
  await makeWorld(store);
  process.stdout.write("ready\n");
  // Waits to be killed; never for ever.
  await sleep(1_800_000);
}
