import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore, currentOwner, openSqliteStore } from "../../../store/index.ts";
import type { StateChange } from "../../brain/index.ts";
import { unwrap } from "../../errors.ts";
import { type BenchWorldOptions, createBenchWorld, SESSION } from "../../testing/bench-world.ts";
import { BENCH_OWNER } from "../../testing/brain-bench.ts";
import { readLog } from "../../testing/read-log.ts";
import { pairingFaults } from "../../testing/simulation/invariants/pairing.ts";
import { createVirtualClock, settle, type VirtualClock } from "../../testing/virtual-clock.ts";
import { openSession } from "../open-session.ts";
import { saveState } from "../snapshot.ts";
import type { Owner, Store } from "../store.ts";
import { readSetup, type Setup } from "./play-setup.ts";
import file from "./session-cases.json" with { type: "json" };

const folders: string[] = [];
const stores: Store[] = [];

afterEach(async () => {
  for (const store of stores.splice(0)) unwrap(await store.close());
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const KINDS = ["memory", "sqlite"] as const;

const openStore = async (kind: (typeof KINDS)[number], clock: VirtualClock): Promise<Store> => {
  const store = kind === "memory" ? createMemoryStore({ now: clock.now }) : await openFile(newFile(), clock);
  stores.push(store);
  return store;
};

const newFile = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "rein-cases-"));
  folders.push(folder);
  return join(folder, "rein.db");
};

const openFile = async (path: string, clock: VirtualClock): Promise<Store> =>
  unwrap(await openSqliteStore({ path, now: clock.now }));

const text = (messages: unknown): string => JSON.stringify(messages);

const caseOf = (id: string) => {
  const found = file.cases.find((one) => one.id === id);
  if (found === undefined) throw new Error(`There is no case ${id}.`);
  return found;
};

/** The entries of a setup that are messages. */
const setupOf = (id: string): Setup => JSON.parse(JSON.stringify(caseOf(id).input.setup ?? []));

describe.each(KINDS)("on a store of kind %s", (kind) => {
  const world = async (options: Omit<BenchWorldOptions, "store" | "clock"> = {}, clock = createVirtualClock()) =>
    createBenchWorld({ store: await openStore(kind, clock), clock, ...options });

  /** The session of a setup, its process dead at the end of it, resumed with a new message. */
  const played = async (id: string) => {
    const { users, script, tool, strays } = readSetup(setupOf(id));
    let dead = false;
    const after = () => (dead ? { text: "Next." } : { hang: "" });
    const here = await world({ tools: { bash: tool }, script: [...script, after, after, after] });
    for (const user of users) await here.start(user);
    await quiet();
    dead = true;
    const { token } = unwrap(await here.store.acquire(SESSION, BENCH_OWNER, 10_000, { steal: true }));
    const log = await readLog(here.store, SESSION);
    const events = strays(log).map((event) => here.bench.composition.encode(event, 1));
    const appends = [{ stream: SESSION, expectedSeq: log.length, token, events }];
    unwrap(await here.store.commit({ appends, release: [{ session: SESSION, token }] }));
    const before = here.model.requests.length;
    expect((await here.run("go on")).reason).toBe("done");
    return { ...here, next: here.model.requests.slice(before) };
  };

  const orphans = file.cases.filter(({ group, input }) => group === "orphans" && text(input.setup).includes('"role"'));

  it.each(orphans)("$id $input.scenario: every request is well-formed", async ({ id }) => {
    const { next } = await played(id);
    expect(next.length).toBeGreaterThan(0);
    for (const { messages } of next) expect(pairingFaults(messages)).toEqual([]);
  });

  it("C-001 an interrupt while a tool runs, then a new message", async () => {
    const here = await world({
      script: [{ text: "ok", calls: [{ id: "t1", name: "bash", input: { command: "npm test" } }] }, { text: "Files." }],
      tools: {
        bash: {
          run: (_call, { signal }) =>
            new Promise((resolve) => signal.addEventListener("abort", () => resolve(""), { once: true })),
        },
      },
    });
    const { end } = await here.start("run tests");
    await until(async () => (await here.data("tool.started")).length === 1);
    await here.send({ kind: "interrupt" });
    expect((await end).reason).toBe("interrupted");
    await here.run("never mind, list files");
    expect(here.messages(1)?.slice(1)).toMatchObject([
      { role: "assistant", content: [{ type: "text" }, { type: "tool_use", id: "t1" }] },
      { role: "tool", content: [{ id: "t1", isError: true, errorType: "interrupted" }] },
      { role: "user", content: [{ text: "never mind, list files" }] },
    ]);
  });

  it("C-003 a result without its call stays in the log and out of the request", async () => {
    const { next, data } = await played("C-003");
    expect(text(next)).not.toContain("left over");
    expect(text(await data("tool.finished"))).toContain("left over");
  });

  it("C-005 of two results for one call the first is sent", async () => {
    const { next } = await played("C-005");
    expect(next[0]?.messages.filter(({ role }) => role === "tool")).toMatchObject([
      { content: [{ id: "t1", content: [{ text: "first" }] }] },
    ]);
    expect(text(next)).not.toContain("second");
  });

  it("C-007 a fragment of arguments is never sent as an input object, and never run", async () => {
    const { next, data } = await played("C-007");
    expect(next[0]?.messages[1]).toMatchObject({ content: [{ type: "tool_use", id: "t1", input: {} }] });
    expect(text(next)).not.toContain("comm");
    expect(await data("tool.started")).toEqual([]);
  });

  it("C-009 calls with names no provider takes get a valid placeholder", async () => {
    const { next } = await played("C-009");
    expect(next[0]?.messages[1]?.content).toMatchObject([
      { id: "t1", name: "invalid_tool_name" },
      { id: "t2", name: "invalid_tool_name" },
    ]);
  });

  it("C-041 a second process on one session is refused", async () => {
    const here = await world({ script: [{ hang: "" }] });
    await here.start("mine");
    await until(async () => (await here.data("model.requested")).length === 1);
    const other: Owner = { ...BENCH_OWNER, host: "elsewhere", pid: 2 };
    expect(await here.store.acquire(SESSION, other, 10_000)).toMatchObject({
      ok: false,
      error: { code: "lease_held" },
    });
    await here.send({ kind: "input", mode: "follow-up", content: [{ type: "text", text: "theirs" }] });
    await until(async () => (await here.data("input.received")).length === 2);
    expect(text(await here.data("input.received"))).toMatch(/mine.*theirs/);
    await here.send({ kind: "interrupt" });
    await until(async () => {
      await here.clock.advance(100);
      return (await here.data("run.ended")).length === 1;
    });
  });

  it("C-045 a lease whose pid now belongs to another program is taken over at once", async () => {
    const clock = createVirtualClock();
    const before: Owner = { ...currentOwner(), startTime: "1" };
    const store =
      kind === "memory"
        ? createMemoryStore({
            now: clock.now,
            alive: (owner) => (owner.startTime === currentOwner().startTime ? "alive" : "dead"),
          })
        : await openStore(kind, clock);
    unwrap(await store.acquire(SESSION, before, 3_600_000));
    const taken = await store.acquire(SESSION, currentOwner(), 10_000);
    expect(taken).toMatchObject({ ok: true, value: { token: 2 } });
  });

  it("C-047 two changes of the settings of one session are both kept", async () => {
    const here = await world({ script: [{ text: "One." }, { text: "Two." }] });
    await here.run("one");
    await Promise.all([
      here.bench.send(SESSION, { kind: "settings", change: { models: ["other"] } }, "a"),
      here.bench.send(SESSION, { kind: "settings", change: { ask: "deny" } }, "b"),
    ]);
    const { state } = await here.run("two");
    expect(state.kernel.settings).toMatchObject({ models: ["other"], ask: "deny", folder: "/bench" });
    expect(here.model.requests[1]?.model).toBe("other");
  });

  it("C-049 a crash between the end of a tool and its record: unknown, and told so", async () => {
    const { next, data } = await played("C-001");
    expect(await data("tool.started")).toHaveLength(1);
    expect(await data("tool.finished")).toMatchObject([{ outcome: "unknown" }]);
    expect(text(next[0]?.messages)).toContain("outcome is unknown: check whether it took effect");
  });

  it("C-051 a snapshot from before a tool ran does not run it again", async () => {
    let ran = 0;
    let dead = false;
    const bash = { run: () => String(++ran) };
    const here = await world({
      tools: { bash },
      script: [
        { calls: [{ id: "t1", name: "bash" }] },
        () => (dead ? { text: "Done." } : { hang: "" }),
        { text: "Done." },
      ],
    });
    const { composition } = here.bench;
    const early = async ({ state, events }: StateChange): Promise<void> => {
      if (!events.some(({ type }) => type === "tool.started")) return;
      const { seq, hash } = unwrap(await here.store.head(SESSION)) ?? { seq: 0, hash: "" };
      if (seq !== state.kernel.seq) throw new Error("The head is not where the tool starts.");
      const body = saveState(state);
      unwrap(await here.store.saveSnapshot(SESSION, { seq, hash, version: composition.version, body }));
    };
    await here.start("go", { observe: [early] });
    await quiet();
    dead = true;
    const opened = unwrap(await openSession(here.store, composition, SESSION));
    expect(opened).toMatchObject({ how: "snapshot", read: 2 });
    expect((await here.run(undefined, { steal: true })).reason).toBe("done");
    expect(ran).toBe(1);
    expect(await here.data("tool.finished")).toMatchObject([{ outcome: "ok", content: [{ text: "1" }] }]);
  });

  it("C-053 an approval that is pending at the crash is asked for anew, bound to the same arguments", async () => {
    let ran = 0;
    const here = await world({
      script: [{ calls: [{ id: "t1", name: "bash", input: { command: "make" } }] }],
      tools: { bash: { decision: "ask", run: () => String(++ran) } },
    });
    await here.start("go", { stay: true });
    await until(async () => (await here.data("approval.requested")).length === 1);
    expect((await here.run(undefined, { steal: true })).reason).toBe("waiting");
    const [first, second] = await here.data("approval.requested");
    expect(second).toEqual(first);
    expect(ran).toBe(0);
    expect(await here.data("tool.finished")).toEqual([]);
  });

  it("C-058 a resumed session goes on with its own model, whatever the default is now", async () => {
    const clock = createVirtualClock();
    const store = await openStore(kind, clock);
    const first = createBenchWorld({ store, clock, settings: { models: ["private"] }, script: [{ text: "One." }] });
    await first.run("one");
    const second = createBenchWorld({ store, clock, settings: { models: ["public"] }, script: [{ text: "Two." }] });
    await second.run("two");
    expect(second.model.requests.map(({ model }) => model)).toEqual(["private"]);
  });

  it("C-062 the tools stand in one order, however they come at the next start", async () => {
    const clock = createVirtualClock();
    const store = await openStore(kind, clock);
    const first = createBenchWorld({ store, clock, tools: { a: {}, b: {} }, script: [{ text: "One." }] });
    await first.run("one");
    const second = createBenchWorld({ store, clock, tools: { b: {}, a: {} }, script: [{ text: "Two." }] });
    await second.run("two");
    expect(text(second.model.requests[0]?.tools)).toBe(text(first.model.requests[0]?.tools));
  });

  it("C-072 a result with NUL and lone surrogates makes a request that is valid UTF-8", async () => {
    const here = await world({
      script: [{ calls: [{ id: "t1", name: "bash" }] }, { text: "Done." }],
      tools: { bash: { run: () => "a\u0000b\ud800c" } },
    });
    await here.run("go");
    const sent = text(here.messages(1));
    expect(sent).not.toMatch(/\\ud[89a-f]/i);
    expect(Buffer.from(sent, "utf8").toString("utf8")).toBe(sent);
    expect(JSON.parse(sent).at(-1).content[0].content[0].text).toBe("a\u0000b\ufffdc");
    expect(await here.data("tool.finished")).toMatchObject([{ content: [{ text: "a\u0000b\ud800c" }] }]);
  });

  it("C-074 a clock that jumps back one hour changes neither order nor pace", async () => {
    const here = await world({ script: Array.from({ length: 6 }, (_, n) => ({ text: `${n}` })) });
    await here.run("0");
    here.clock.step(-3_600_000);
    for (let n = 1; n <= 5; n += 1) expect(await here.run(`${n}`)).toMatchObject({ reason: "done", text: `${n}` });
    expect(here.messages(5)?.map(({ content }) => Object(content[0]).text)).toEqual([
      "0",
      "0",
      "1",
      "1",
      "2",
      "2",
      "3",
      "3",
      "4",
      "4",
      "5",
    ]);
  });

  it("C-076 a stamp of next year keeps neither lease nor session", async () => {
    const clock = createVirtualClock();
    clock.step(365 * 24 * 3_600_000);
    const here = await world({ script: [{ text: "One." }, { text: "Two." }] }, clock);
    await here.run("one");
    const elsewhere: Owner = { ...BENCH_OWNER, host: "elsewhere" };
    unwrap(await here.store.acquire(SESSION, elsewhere, 15_000));
    clock.step(-365 * 24 * 3_600_000);
    expect(await here.store.acquire(SESSION, BENCH_OWNER, 15_000)).toMatchObject({
      ok: false,
      error: { code: "lease_held" },
    });
    await clock.advance(15_000);
    expect(await here.run("two")).toMatchObject({ reason: "done", text: "Two." });
    expect(unwrap(await here.store.sessions()).map(({ session }) => session)).toContain(SESSION);
  });

  it("C-078 a rate limit that speaks of tokens is waited out, not compacted", async () => {
    const here = await world({
      script: [{ error: "model_rate_limited", message: "Too many tokens, please wait" }, { text: "Done." }],
    });
    expect((await here.run("go")).reason).toBe("done");
    expect(await here.data("timer.set")).toMatchObject([{ length: 60_000 }]);
    expect(await here.data("history.compacted")).toEqual([]);
    expect(await here.data("effect.failed")).toEqual([]);
  });
});

/** Lets everything happen that can happen without time passing. */
async function quiet(): Promise<void> {
  for (let step = 0; step < 20; step += 1) await settle();
}

/** Lets real work (a file) catch up, in bounded steps. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let step = 0; step < 1_000; step += 1) {
    if (await holds()) return;
    await settle();
  }
  throw new Error("It never came to that.");
}
