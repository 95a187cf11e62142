import { expect, it } from "vitest";
import { createMemoryStore } from "../../store/memory.ts";
import { unwrap } from "../errors.ts";
import type { StoredEvent } from "../session/index.ts";
import { createBrainBench } from "./brain-bench.ts";
import { createFakeTools } from "./fake-tools.ts";
import { recheck } from "./recheck.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { createVirtualClock } from "./virtual-clock.ts";

async function driven() {
  const store = createMemoryStore();
  const model = createScriptedModel([{ calls: [{ name: "look" }] }, { text: "Done." }]);
  const tools = createFakeTools({ look: { readOnly: true } });
  const bench = createBrainBench({ store, model, tools, clock: createVirtualClock() });
  const { state } = await bench.drive("s1", "go").finish();
  const events = unwrap(await store.read("s1"));
  return { events, end: { composition: bench.composition, state } };
}

async function* whole(events: readonly StoredEvent[]) {
  yield events;
}

it("finds nothing in a log that a brain wrote", async () => {
  const { events, end } = await driven();
  expect(await recheck({ session: "s1", ends: [end], pieces: whole(events) })).toEqual({ faults: [], whole: true });
});

it("finds a state that is not that of the log", async () => {
  const { events, end } = await driven();
  const state = { ...end.state, kernel: { ...end.state.kernel, paused: true } };
  const { faults } = await recheck({ session: "s1", ends: [{ ...end, state }], pieces: whole(events) });
  expect(faults).toHaveLength(1);
  expect(faults[0]).toContain("is not that of the log");
});

it("finds an intent that no rule wanted", async () => {
  const { events, end } = await driven();
  const changed = events.map((event) => {
    if (event.type !== "tool.started") return event;
    return {
      ...event,
      type: "model.requested",
      data: '{"turn":9,"attempt":1,"model":"scripted","transition":"start","takes":[],"escalated":false}',
    };
  });
  const { faults } = await recheck({ session: "s1", ends: [end], pieces: whole(changed) });
  expect(faults[0]).toMatch(/^s1 event \d+ \(model\.requested\): the rules want call:\d+\.0, not model:9\.1\.$/);
});

it("finds a log that ends before its drive did", async () => {
  const { events, end } = await driven();
  const { faults } = await recheck({ session: "s1", ends: [end], pieces: whole(events.slice(0, -1)) });
  expect(faults).toEqual([`s1: a drive ended at event ${events.length}; the log has ${events.length - 1}.`]);
});

it("leaves a log with erased events alone, and stops when it is told to", async () => {
  const { events, end } = await driven();
  const erased = events.map((event) => (event.seq === 3 ? { ...event, data: null } : event));
  expect(await recheck({ session: "s1", ends: [end], pieces: whole(erased) })).toEqual({ faults: [], whole: false });
  expect(await recheck({ session: "s1", ends: [end], pieces: whole(events), goOn: () => false })).toEqual({
    faults: [],
    whole: false,
  });
});
