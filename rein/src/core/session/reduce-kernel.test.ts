import fc from "fast-check";
import { expect, it } from "vitest";
import { decide, kernelRules } from "../brain/index.ts";
import { Prompt } from "../brain/prompt.ts";
import { ok, unwrap } from "../errors.ts";
import type { Block, Message } from "../message/index.ts";
import { BENCH_SETTINGS } from "../testing/brain-bench.ts";
import { pairingFaults } from "../testing/simulation/invariants/pairing.ts";
import { GENESIS_HASH } from "./chain.ts";
import { closeInFlight } from "./close-in-flight.ts";
import { compose } from "./compose.ts";
import type { NewEvent } from "./event.ts";
import type { KernelEvents, KernelEventType } from "./kernel-events.ts";
import { KERNEL_EVENTS } from "./kernel-events.ts";
import type { State } from "./part.ts";
import { restoreState, saveState } from "./snapshot.ts";
import { statusOf } from "./status.ts";

const small = fc.integer({ min: 1, max: 4 });
const seq = fc.integer({ min: 1, max: 30 });
const key = fc.tuple(seq, fc.integer({ min: 0, max: 2 })).map(([at, block]) => `${at}.${block}`);
const words = fc.constantFrom("", " ", "a", "b", "\ud800", "long text");
const text = fc.record({ type: fc.constant("text" as const), text: words });
const transition = fc.constantFrom(
  "next_turn",
  "output_truncated",
  "compact_retry",
  "model_fallback",
  "spinning" as const,
);
const use: fc.Arbitrary<Block> = fc.record(
  {
    type: fc.constant("tool_use" as const),
    id: fc.constantFrom("", "t", "u", "call_3_0"),
    name: fc.constantFrom("", "look", "x y"),
    input: fc.constant({ a: "\ud800" }),
    malformed: words,
  },
  { requiredKeys: ["type", "id", "name", "input"] },
);
const thinking = fc.record({ type: fc.constant("thinking" as const), text: words });
const error = fc.record({
  class: fc.constantFrom("transient", "permanent" as const),
  code: fc.constantFrom("model_overloaded", "context_overflow", "model_quota" as const),
  message: words,
  hint: words,
});
const settings = fc.record({
  models: fc.constantFrom(["a"], ["a", "b"]),
  limits: fc.constantFrom({}, { maxTurns: 2 }, { minTokens: 1_000, maxTime: 5 }),
  ask: fc.constantFrom("deny", "wait" as const),
  linear: fc.boolean(),
});
const judgement = {
  decision: fc.constantFrom("allow", "ask", "deny" as const),
  policy: fc.constant("p"),
  reason: words,
  digest: fc.constantFrom("d1", "d2"),
  effects: fc.constant([]),
  readOnly: fc.boolean(),
  recover: fc.constantFrom("rerun", "reconcile", "never" as const),
  accesses: fc.constantFrom([], [{ resource: "*", write: true }]),
};
const answer = { commandId: fc.constant("c"), call: key, digest: fc.constantFrom("d1", "d2") };
const owner = fc.constant({ host: "h", bootId: "b", pidNamespace: "n", pid: 1, startTime: "1" });
const name = fc.constantFrom("retry:1.1", "deadline:1", "__proto__");

/** Data of every kernel event, well-shaped but otherwise whatever. */
const DATA: { readonly [T in KernelEventType]: fc.Arbitrary<KernelEvents[T]> } = {
  "session.created": fc.record({
    settings: settings.map((some) => ({ ...BENCH_SETTINGS, ...some })),
    gates: fc.constant([]),
  }),
  "session.forked": fc.record({ parent: words, seq, hash: words }),
  "session.imported": fc.record({ from: words, hash: words, lost: small }),
  "brain.woke": fc.record({
    token: small,
    owner,
    how: fc.constantFrom("created", "released", "recovered", "stolen" as const),
  }),
  "settings.changed": fc.record({
    commandId: fc.constant(null),
    change: settings.map(({ models, limits, ask }) => ({ models, limits, ask })),
  }),
  "input.received": fc.record({
    commandId: words,
    mode: fc.constantFrom("start", "steer", "follow-up" as const),
    content: fc.array(text, { maxLength: 2 }),
  }),
  "command.refused": fc.record({ commandId: words, kind: words, reason: words }),
  "run.started": fc.record({ run: small }),
  "run.interrupted": fc.record({ commandId: fc.constant(null), by: fc.constantFrom("command", "caller" as const) }),
  "run.stopped": fc.record({ commandId: words }),
  "run.paused": fc.record({ commandId: words }),
  "run.resumed": fc.record({ commandId: words }),
  "run.killed": fc.record({ commandId: words, reason: words }),
  "run.ended": fc.record({
    run: small,
    reason: fc.constantFrom("done", "failed", "interrupted", "killed", "max_turns" as const),
  }),
  "run.blocked": fc.record({ source: words, text: words }),
  "model.requested": fc.record({
    turn: small,
    attempt: small,
    model: fc.constantFrom("a", "b", "z"),
    transition,
    takes: fc.array(seq, { maxLength: 2 }),
    escalated: fc.boolean(),
  }),
  "model.responded": fc.record({
    turn: small,
    content: fc.array(fc.oneof(text, use, thinking), { maxLength: 3 }),
    stop: fc.constantFrom("end", "tool_use", "max_output", "refusal", "pause" as const),
    usage: fc.constant({ input: 1, output: 1 }),
    duration: small,
  }),
  "model.failed": fc.record({ turn: small, attempt: small, error, duration: small }),
  "model.interrupted": fc.record({ turn: small, text: words, by: fc.constantFrom("crash", "interrupt" as const) }),
  "notice.added": fc.record({
    kind: fc.constantFrom("spinning", "resume_nudge", "budget_continue", "x"),
    text: words,
    transition,
  }),
  "call.judged": fc.record({ call: key, ...judgement }),
  "approval.requested": fc.record({ call: key, digest: words, shows: words }),
  "approval.answered": fc.record({ ...answer, answer: fc.constantFrom("approve", "deny" as const) }),
  "tool.started": fc.record({ call: key, attempt: small }),
  "process.started": fc.record({
    call: key,
    host: words,
    bootId: words,
    pidNamespace: words,
    pid: small,
    pidStart: words,
    group: small,
    mark: words,
  }),
  "tool.requeued": fc.record({ call: key }),
  "tool.finished": fc.record({
    call: key,
    outcome: fc.constantFrom("ok", "error", "denied", "interrupted", "cancelled", "unknown" as const),
    content: fc.array(text, { maxLength: 1 }),
    duration: small,
  }),
  "context.captured": fc.record({ source: fc.constantFrom("system", "x"), blob: words, size: small }),
  "tools.changed": fc.record({ blob: words, names: fc.constant(["look"]) }),
  "history.compacted": fc.record({ items: fc.integer({ min: 0, max: 5 }), summary: words, transition }),
  "goal.measured": fc.record({ turn: small, value: small }),
  "timer.set": fc.record({ name, length: small }),
  "timer.fired": fc.record({ name }),
  "timer.rearmed": fc.record({ name, remaining: small }),
  "store.lost": fc.record({ from: small, to: small, message: words }),
  "effect.failed": fc.record({ id: words, kind: words, error }),
};

/** Any kernel event, or one that was erased, or one that nobody knows. */
const anyEvent: fc.Arbitrary<NewEvent> = fc.oneof(
  {
    weight: 60,
    arbitrary: fc.oneof(
      ...Object.entries(DATA).map(([type, data]) => data.map((value) => ({ type, data: value as unknown }))),
    ),
  },
  // The way of a message, so that deep states are met often.
  {
    weight: 30,
    arbitrary: fc.oneof(
      ...(["model.requested", "model.responded", "call.judged", "tool.started", "tool.finished"] as const).map((type) =>
        DATA[type].map((value) => ({ type, data: value as unknown })),
      ),
    ),
  },
  { weight: 5, arbitrary: fc.constantFrom(...Object.keys(KERNEL_EVENTS)).map((type) => ({ type, data: undefined })) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom("x.mine", "a.newer.event", "__proto__")
      .map((type) => ({ type, data: { any: 1 } as unknown })),
  },
);

const composition = unwrap(compose([], kernelRules));

const fold = (events: readonly NewEvent[], from: State = composition.initial("s")): State =>
  events.reduce((state, { type, data }) => {
    const seq = state.kernel.seq + 1;
    return composition.reduce(state, { session: "s", seq, at: seq, type, version: 1, data });
  }, from);

const render = async (state: State, events: readonly NewEvent[]): Promise<readonly Message[]> =>
  unwrap(await new Prompt().render(state.kernel, async (at) => ok(events[at - 1]?.data)));

/** What a provider would refuse. A log of nonsense may begin with an answer, or hold nothing at all. */
const faults = (messages: readonly Message[]): readonly string[] => {
  const found = pairingFaults(messages).filter((fault) => !fault.startsWith("it "));
  const ids = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === "tool_use" ? block.id : [])),
  );
  if (new Set(ids).size < ids.length) found.push(`ids are repeated: ${ids.join(" ")}`);
  const texts = messages.flatMap(({ role, content }) =>
    content.flatMap((block) => (block.type === "text" ? `${role}:${block.text}` : [])),
  );
  for (const one of texts) if (/^(user|assistant):\s*$/.test(one)) found.push(`a blank text: ${one}`);
  if (/\\ud[89a-f]/.test(JSON.stringify(messages))) found.push("a lone surrogate");
  return found;
};

it("folds any sequence of events whatsoever into a state whose prompt is well-formed", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 40 }), async (events) => {
      const state = fold(events);
      expect(state.kernel.seq).toBe(events.length);
      expect(faults(await render(state, events))).toEqual([]);
      statusOf(state);
      decide(kernelRules, state);
    }),
    { numRuns: 1_000 },
  );
});

it("is one with its own copy: what is closed in a copy leaves nothing in flight", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyEvent, { maxLength: 30 }), async (before) => {
      const events = [...before, { type: "session.forked", data: { parent: "p", seq: before.length, hash: "h" } }];
      const copy = [...events, ...closeInFlight(fold(events), "forked")];
      const { kernel } = fold(copy);
      expect(kernel.open).toBeNull();
      expect(kernel.run.active).toBe(false);
      expect(kernel.model.phase).not.toBe("requested");
      expect(kernel.timers).toEqual({});
      expect(kernel.pending).toEqual([]);
      expect(faults(await render(fold(copy), copy))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

it("folds alike in one go and through a snapshot between any two events", () => {
  fc.assert(
    fc.property(fc.array(anyEvent, { maxLength: 30 }), fc.nat(30), (events, at) => {
      const cut = Math.min(at, events.length);
      const half = fold(events.slice(0, cut));
      const hash = GENESIS_HASH;
      const snapshot = { seq: cut, hash, version: composition.version, body: saveState(half) };
      const restored = restoreState(snapshot, "s", { seq: cut, hash }, composition);
      expect(restored).not.toBeNull();
      const whole = fold(events.slice(cut), restored ?? half);
      expect(JSON.stringify(whole.kernel)).toBe(JSON.stringify(fold(events).kernel));
    }),
    { numRuns: 300 },
  );
});
