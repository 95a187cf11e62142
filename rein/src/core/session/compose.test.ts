import { expect, it } from "vitest";
import { unwrap } from "../errors.ts";
import { type Composition, compose } from "./compose.ts";
import { definePart, type Part } from "./part.ts";
import type { StoredEvent } from "./store.ts";

const counter = (name: string, more: Partial<Part> = {}) => ({
  ...definePart({
    name,
    events: {},
    initial: 0,
    reduce: (count, event) => (event.type === "x.count" ? count + 1 : count),
    rules: [],
    runners: () => ({}),
  }),
  ...more,
});

const stored = (more: Partial<StoredEvent>): StoredEvent => ({
  seq: 1,
  type: "x.mine",
  version: 1,
  at: 5,
  data: "{}",
  ...more,
});
const made = (...parts: readonly Part[]): Composition => unwrap(compose(parts, []));

it("folds each part's slice beside the kernel's", () => {
  const composition = made(counter("one"), counter("two"));
  const state = composition.reduce(composition.initial("s"), {
    session: "s",
    seq: 1,
    at: 0,
    type: "x.count",
    version: 1,
    data: {},
  });
  expect(state.slices).toEqual({ one: 1, two: 1 });
  expect(state.kernel.seq).toBe(1);
});

it("leaves the slices alone that an event does not change", () => {
  const composition = made(counter("one"));
  const before = composition.initial("s");
  const after = composition.reduce(before, { session: "s", seq: 1, at: 0, type: "x.other", version: 1, data: {} });
  expect(after.slices).toBe(before.slices);
});

it("refuses two parts with one event type, or one effect kind", () => {
  const events = { "a.b": { version: 1 } };
  expect(compose([counter("one", { events }), counter("two", { events })], [])).toMatchObject({
    ok: false,
    error: { code: "invalid_option", message: 'Two parts claim the event type "a.b".' },
  });
  expect(compose([counter("one", { events: { "run.ended": { version: 1 } } })], [])).toMatchObject({
    error: { message: 'Two parts claim the event type "run.ended".' },
  });
  const runners = () => ({ k: { start: () => ({}) } });
  expect(compose([counter("one", { runners }), counter("two", { runners })], [])).toMatchObject({
    error: { message: 'Two parts claim the effect kind "k".' },
  });
});

it("refuses a type of a later version that cannot read the older ones", () => {
  expect(compose([counter("one", { events: { "a.b": { version: 2 } } })], [])).toMatchObject({
    ok: false,
    error: { message: 'The event type "a.b" has version 2 and no upcast.' },
  });
});

it("reads an older version through its upcast", () => {
  const upcast = (data: unknown, from: number) => ({ from, was: data });
  const composition = made(counter("one", { events: { "a.b": { version: 3, upcast } } }));
  expect(composition.decode("s", stored({ type: "a.b", version: 2, data: '{"n":1}' }))).toEqual({
    ok: true,
    value: { session: "s", seq: 1, at: 5, type: "a.b", version: 3, data: { from: 2, was: { n: 1 } } },
  });
  expect(composition.decode("s", stored({ type: "a.b", version: 3, data: '{"n":1}' }))).toMatchObject({
    value: { data: { n: 1 } },
  });
});

it("says which event an upcast could not read", () => {
  const upcast = () => {
    throw new Error("No field n.");
  };
  const composition = made(counter("one", { events: { "a.b": { version: 2, upcast } } }));
  expect(composition.decode("s", stored({ seq: 7, type: "a.b" }))).toMatchObject({
    ok: false,
    error: {
      code: "event_invalid",
      message: "Event 7 (a.b) of version 1 cannot be read: No field n.",
      place: { seq: 7 },
    },
  });
});

it("refuses an event of a newer version with a hint", () => {
  expect(made().decode("s", stored({ seq: 7, type: "run.ended", version: 9 }))).toMatchObject({
    ok: false,
    error: {
      code: "version_unknown",
      message: "Event 7 (run.ended) has version 9; this build knows 1.",
      hint: "Update Rein: the session was written by a newer version.",
      place: { seq: 7 },
    },
  });
});

it.each(["x.mine", "a.type.of.tomorrow", "__proto__"])(
  "keeps an event of a type it does not know as it is: %s",
  (type) => {
    expect(made().decode("s", stored({ type, version: 9, data: '{"any":[1]}' }))).toEqual({
      ok: true,
      value: { session: "s", seq: 1, at: 5, type, version: 9, data: { any: [1] } },
    });
  },
);

it("gives an erased event without data, whatever its version", () => {
  expect(made().decode("s", stored({ type: "run.ended", version: 9, data: null }))).toMatchObject({
    ok: true,
    value: { data: undefined },
  });
});

it("says which event is no JSON", () => {
  expect(made().decode("s", stored({ seq: 7, data: "{" }))).toMatchObject({
    ok: false,
    error: { code: "event_invalid", message: "Event 7 of session s is not valid JSON." },
  });
});

it("writes an event with the version it has, 1 for those of embedders", () => {
  const composition = made(counter("one", { events: { "a.b": { version: 2, upcast: (data) => data } } }));
  expect(composition.encode({ type: "a.b", data: { n: 1 } }, 5)).toEqual({
    type: "a.b",
    version: 2,
    at: 5,
    data: '{"n":1}',
  });
  expect(composition.encode({ type: "x.mine", data: "\ud800" }, 5)).toEqual({
    type: "x.mine",
    version: 1,
    at: 5,
    data: '"\\ud800"',
  });
});

it("has another version with other slices or other event types, and the same for the same", () => {
  expect(made(counter("one")).version).toBe(made(counter("one")).version);
  expect(made(counter("one")).version).not.toBe(made(counter("two")).version);
  expect(made(counter("one")).version).not.toBe(made(counter("one", { events: { "a.b": { version: 1 } } })).version);
});

it("lets a part look at its own slice", () => {
  const part = counter("one");
  expect(part.of(made(part).initial("s"))).toBe(0);
  expect(part.of(made().initial("s"))).toBe(0);
});
