import fc from "fast-check";
import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import type { Commit, Store } from "../session/index.ts";
import { runOut } from "../testing/bench-world.ts";
import { BENCH_OWNER, type BrainBench, createBrainBench } from "../testing/brain-bench.ts";
import { createFakeTools } from "../testing/fake-tools.ts";
import { readLog } from "../testing/read-log.ts";
import { createScriptedModel, type ScriptedModel, type ScriptedStep } from "../testing/scripted-model.ts";
import { pairingFaults } from "../testing/simulation/invariants/pairing.ts";
import { createVirtualClock, type VirtualClock } from "../testing/virtual-clock.ts";
import { wrapStore } from "../testing/wrap-store.ts";

/** What the model may do in a turn. */
const call = fc.record(
  {
    name: fc.constantFrom("read", "write", "asked", "failing", "gone", ""),
    id: fc.constantFrom("t", "", "u"),
    malformed: fc.constantFrom("{", "x"),
  },
  { requiredKeys: ["name"] },
);
const step: fc.Arbitrary<ScriptedStep> = fc.oneof(
  fc.record({ text: fc.constantFrom("", "Looking."), calls: fc.array(call, { minLength: 1, maxLength: 3 }) }),
  fc.record({ calls: fc.array(call, { maxLength: 2 }), stop: fc.constant("max_output" as const) }),
  fc.constantFrom<ScriptedStep>({ error: "model_overloaded" }, { cut: "Half" }, { text: "Wait.", stop: "pause" }),
);

interface Life {
  readonly bench: BrainBench;
  readonly model: ScriptedModel;
  /** Calls that changed something, by their keys. */
  readonly wrote: string[];
}

/** A life in a store: it does the steps, then is done. */
const live = (store: Store, clock: VirtualClock, steps: readonly ScriptedStep[]): Life => {
  const wrote: string[] = [];
  const left = [...steps];
  const model = createScriptedModel(() => left.shift() ?? { text: "Done." });
  const tools = createFakeTools({
    read: { readOnly: true },
    write: { run: (pending) => `wrote ${wrote.push(pending.call)}` },
    asked: { decision: "ask", run: (pending) => `wrote ${wrote.push(pending.call)}` },
    failing: {
      accesses: [],
      run: () => {
        throw new Error("broken");
      },
    },
  });
  const bench = createBrainBench({ store, clock, model, tools, settings: { limits: { maxTurns: 12 } } });
  return { bench, model, wrote };
};

/** Drives a session to its end; whatever waits for a person is approved. */
const finish = async ({ bench }: Life, clock: VirtualClock, store: Store, text?: string): Promise<string> => {
  for (let round = 0; round < 20; round += 1) {
    const end = await runOut(clock, bench.drive("s1", round === 0 ? text : undefined).finish());
    if (end.reason !== "waiting") return end.reason;
    for (const open of end.state.kernel.open?.calls ?? []) {
      if (open.status === "asking")
        await bench.send("s1", { kind: "approve", call: open.call }, `${round}-${open.call}-${store.name}`);
    }
  }
  throw new Error("It waits for ever.");
};

const faultsOf = (model: ScriptedModel): readonly string[] =>
  model.requests.flatMap(({ messages }) => pairingFaults(messages));

/** The same log up to a commit, in another store, as a crash right after that commit leaves it. */
const truncated = async (commits: readonly Commit[], clock: VirtualClock): Promise<Store> => {
  const store = createMemoryStore({ now: clock.now, alive: () => "dead" });
  const { token } = unwrap(await store.acquire("s1", BENCH_OWNER, 60_000));
  for (const { appends = [], blobs } of commits) {
    const again = appends.map((append) => ({ ...append, token }));
    unwrap(await store.commit({ appends: again, ...(blobs !== undefined && { blobs }) }));
  }
  return store;
};

it("goes on with a well-formed request from a log that was cut after any commit, and repeats nothing that may have happened", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
      const clock = createVirtualClock();
      const commits: Commit[] = [];
      const store = wrapStore(createMemoryStore({ now: clock.now }), {
        around: async (method, run, commit) => {
          const result = await run();
          if (method === "commit" && commit?.appends !== undefined && result.ok) commits.push(commit);
          return result;
        },
      });
      const first = live(store, clock, steps);
      await finish(first, clock, store, "go");
      expect(faultsOf(first.model)).toEqual([]);
      for (let kept = 1; kept <= commits.length; kept += 1) {
        const cut = await truncated(commits.slice(0, kept), clock);
        const begun = new Set((await readLog(cut, "s1", "tool.started")).map(({ data }) => String(Object(data).call)));
        const second = live(cut, clock, []);
        await finish(second, clock, cut, "go on");
        expect(faultsOf(second.model)).toEqual([]);
        expect(second.wrote.filter((key) => begun.has(key))).toEqual([]);
        expect(new Set(second.wrote).size).toBe(second.wrote.length);
        const log = await readLog(cut, "s1");
        expect(log.at(-1)?.type).toBe("run.ended");
      }
    }),
    { numRuns: 25 },
  );
});

it("ends well-formed when interrupted after any commit, and goes on from there", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 2, max: 12 }),
      async (steps, nth) => {
        const clock = createVirtualClock();
        const memory = createMemoryStore({ now: clock.now });
        let commits = 0;
        const store = wrapStore(memory, {
          around: async (_method, run, commit) => {
            const result = await run();
            if (commit?.appends !== undefined) commits += 1;
            if (commit?.appends !== undefined && commits === nth) {
              const payload = JSON.stringify({ kind: "interrupt" });
              unwrap(await memory.commit({ inbox: { put: [{ commandId: "stop", session: "s1", payload }] } }));
            }
            return result;
          },
        });
        const life = live(store, clock, steps);
        await finish(life, clock, store, "go");
        await finish(life, clock, store, "go on");
        expect(faultsOf(life.model)).toEqual([]);
        expect(new Set(life.wrote).size).toBe(life.wrote.length);
        const runs = (await readLog(memory, "s1")).filter(({ type }) => type === "run.started" || type === "run.ended");
        expect(runs.at(-1)?.type).toBe("run.ended");
      },
    ),
    { numRuns: 40 },
  );
});
