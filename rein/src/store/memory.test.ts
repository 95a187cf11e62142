import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, it } from "vitest";
import type { Owner, StoredEvent } from "../core/session/index.ts";
import { type Harm, type StoreUnderTest, storeConformance } from "./conformance/index.ts";
import { MemoryStore } from "./memory/memory-store.ts";
import { createMemoryStore } from "./memory.ts";

const owner = (pid: number, more: Partial<Owner> = {}): Owner => ({
  host: "host",
  bootId: "boot",
  pidNamespace: "here",
  pid,
  startTime: "100",
  ...more,
});

const owners = {
  alive: owner(4001),
  other: owner(4002),
  dead: owner(4003),
  reusedPid: owner(4002, { startTime: "50" }),
  elsewhere: owner(4001, { pidNamespace: "there" }),
};

const RUNNING = [owners.alive, owners.other];

function alive({ pidNamespace, pid, startTime }: Owner): "alive" | "dead" | "unknown" {
  if (pidNamespace !== "here") return "unknown";
  return RUNNING.some((process) => process.pid === pid && process.startTime === startTime) ? "alive" : "dead";
}

async function make(): Promise<StoreUnderTest & { readonly store: MemoryStore }> {
  let time = 0;
  const store = new MemoryStore(() => time, alive);
  const setTime = (ms: number): void => {
    time = ms;
  };
  return { store, setTime, owners, dispose: async () => undefined };
}

/** Changes what the store holds as no method of it can. */
async function tamper({ store }: StoreUnderTest, { stream, seq, what }: Harm): Promise<MemoryStore> {
  if (!(store instanceof MemoryStore)) throw new Error("not a memory store");
  const log = store.streams.get(stream)?.log.owner(seq);
  if (log === undefined) throw new Error(`no event ${seq}`);
  log.seal();
  const index = seq - log.base - 1;
  const event = log.events[index];
  if (event === undefined) throw new Error(`no event ${seq}`);
  const changes: Readonly<Record<Exclude<Harm["what"], "append">, Partial<StoredEvent>>> = {
    data: { data: `${event.data} ` },
    type: { type: `${event.type}.` },
    at: { at: event.at + 1 },
  };
  if (what === "append") log.events.splice(index, 1);
  else log.events[index] = { ...event, ...changes[what] };
  return store;
}

describe("the memory store conforms", () => {
  for (const check of storeConformance(make, { tamper, modelRuns: 200, modelTime: 5_000 })) it(check.name, check.run);
});

describe("createMemoryStore", () => {
  it("tells of its opening and closing", async () => {
    const seen: string[] = [];
    const note = (message: unknown, name: string | symbol): void => {
      const ours = typeof message === "object" && message !== null && "store" in message;
      seen.push(`${String(name)} ${ours && message.store instanceof MemoryStore}`);
    };
    subscribe("rein:store:open", note);
    subscribe("rein:store:close", note);
    const store = createMemoryStore();
    await store.close();
    await store.close();
    unsubscribe("rein:store:open", note);
    unsubscribe("rein:store:close", note);
    expect(seen).toEqual(["rein:store:open true", "rein:store:close true"]);
  });

  it("can be read after it was closed", async () => {
    const store = createMemoryStore({ now: () => 7 });
    await store.commit({ appends: [{ stream: "ledger:l", events: [{ type: "x", version: 1, at: 5, data: "1" }] }] });
    await store.close();
    expect(await store.read("ledger:l")).toEqual({
      ok: true,
      value: [{ seq: 1, type: "x", version: 1, at: 5, data: "1" }],
    });
  });

  it("ends a lease only by expiry when nothing is said of its owner", async () => {
    let time = 1_000;
    const store = createMemoryStore({ now: () => time });
    expect(await store.acquire("s", owners.dead, 100)).toMatchObject({
      ok: true,
      value: { token: 1, expiresAt: 1_100 },
    });
    expect(await store.acquire("s", owners.alive, 100)).toMatchObject({ ok: false, error: { code: "lease_held" } });
    time = 1_100;
    expect(await store.acquire("s", owners.alive, 100)).toMatchObject({ ok: true, value: { token: 2 } });
  });

  it("does not let a watcher that throws undo a commit", async () => {
    const store = createMemoryStore();
    const thrown: unknown[] = [];
    const before = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.once("uncaughtException", (error) => thrown.push(error));
    store.watch(() => {
      throw new Error("from a watcher");
    });
    const done = await store.commit({ inbox: { put: [{ commandId: "c", session: "s", payload: "1" }] } });
    await new Promise((resolve) => setImmediate(resolve));
    for (const listener of before) process.on("uncaughtException", listener);
    expect(done.ok).toBe(true);
    expect(thrown).toEqual([new Error("from a watcher")]);
  });
});
