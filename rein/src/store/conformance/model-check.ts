/** Random commands against the store and against a model of it that fits on a page. */
import assert from "node:assert/strict";
import type { ErrorCode, Result } from "../../core/errors.ts";
import type { Commit, Store } from "../../core/session/index.ts";
import { event, good, START, TTL, waiting } from "./helpers.ts";
import type { Check, ConformanceOptions, StoreUnderTest } from "./types.ts";

type Command =
  | { readonly do: "acquire"; readonly session: string; readonly steal: boolean }
  | {
      readonly do: "append";
      readonly session: string;
      readonly events: number;
      readonly skew: number;
      readonly stale: boolean;
      readonly take: boolean;
      readonly release: boolean;
    }
  | { readonly do: "put"; readonly session: string; readonly number: number }
  | { readonly do: "wake"; readonly session: string; readonly name: string; readonly inMs: number | null }
  | { readonly do: "reserve"; readonly key: string; readonly amount: number }
  | { readonly do: "settle"; readonly key: string; readonly amount: number }
  | { readonly do: "fork"; readonly session: string; readonly back: number; readonly child: string }
  | { readonly do: "erase"; readonly session: string; readonly back: number }
  | { readonly do: "remove"; readonly session: string }
  | { readonly do: "tick"; readonly ms: number };

/** An event, shared by the forks that share it. */
interface Cell {
  data: string | null;
}

interface ModelSession {
  /** Null until the first event, and after a removal. */
  cells: Cell[] | null;
  token: number;
  /** When the lease ends; null when it was given back. */
  leasedUntil: number | null;
  readonly waiting: string[];
  readonly known: Set<string>;
  readonly wakes: Map<string, number>;
  /** Grows with a removal, so that command ids of a removed session are never used again. */
  life: number;
}

const SESSIONS = ["a", "b", "c"];
const LIMIT = 10;

class Model {
  now = START;
  readonly sessions = new Map<string, ModelSession>();
  readonly reserved = new Map<string, number>();
  spent = 0;
  #texts = 0;

  of(session: string): ModelSession {
    const known = this.sessions.get(session);
    if (known !== undefined) return known;
    const made: ModelSession = {
      cells: null,
      token: 0,
      leasedUntil: null,
      waiting: [],
      known: new Set(),
      wakes: new Map(),
      life: 0,
    };
    this.sessions.set(session, made);
    return made;
  }

  isHeld({ leasedUntil }: ModelSession): boolean {
    return leasedUntil !== null && leasedUntil > this.now;
  }

  due({ wakes }: ModelSession): readonly string[] {
    return [...wakes].filter(([, at]) => at <= this.now).map(([name]) => name);
  }

  text(): string {
    this.#texts += 1;
    return String(this.#texts);
  }
}

/** The check, for a suite; needs `fast-check` (an optional peer dependency of `rein`). */
export function modelCheck(
  make: () => Promise<StoreUnderTest>,
  options: ConformanceOptions,
): Pick<Check, "name"> & { readonly run: () => Promise<void> } {
  return {
    name: "random commands leave the store as they leave a model of it",
    run: async () => {
      const fc = await import("fast-check");
      const session = fc.constantFrom(...SESSIONS);
      const name = fc.constantFrom("x", "y", "z");
      const back = fc.integer({ min: 0, max: 6 });
      const amount = fc.integer({ min: 0, max: 6 });
      const rarely = fc.integer({ min: 0, max: 7 }).map((number) => number === 0);
      const command: import("fast-check").Arbitrary<Command> = fc.oneof(
        { weight: 5, arbitrary: fc.record({ do: fc.constant("acquire"), session, steal: fc.boolean() }) },
        {
          weight: 12,
          arbitrary: fc.record({
            do: fc.constant("append"),
            session,
            events: fc.integer({ min: 1, max: 3 }),
            skew: rarely.map((skewed) => (skewed ? -1 : 0)),
            stale: rarely,
            take: fc.boolean(),
            release: fc.boolean(),
          }),
        },
        {
          weight: 4,
          arbitrary: fc.record({ do: fc.constant("put"), session, number: fc.integer({ min: 0, max: 5 }) }),
        },
        {
          weight: 2,
          arbitrary: fc.record({
            do: fc.constant("wake"),
            session,
            name,
            inMs: fc.option(fc.integer({ min: -10, max: TTL }), { freq: 2 }),
          }),
        },
        { weight: 2, arbitrary: fc.record({ do: fc.constant("reserve"), key: name, amount }) },
        { weight: 2, arbitrary: fc.record({ do: fc.constant("settle"), key: name, amount }) },
        {
          weight: 3,
          arbitrary: fc.record({ do: fc.constant("fork"), session, back, child: fc.constantFrom("d", "e", "f", "a") }),
        },
        {
          weight: 2,
          arbitrary: fc.record({ do: fc.constant("erase"), session: fc.constantFrom(...SESSIONS, "d", "e"), back }),
        },
        {
          weight: 1,
          arbitrary: fc.record({ do: fc.constant("remove"), session: fc.constantFrom(...SESSIONS, "d", "e") }),
        },
        { weight: 2, arbitrary: fc.record({ do: fc.constant("tick"), ms: fc.integer({ min: 0, max: TTL }) }) },
      );
      await fc.assert(
        fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 60 }), (commands) => follows(make, commands)),
        { numRuns: options.modelRuns ?? 50, interruptAfterTimeLimit: options.modelTime ?? 10_000 },
      );
    },
  };
}

async function follows(make: () => Promise<StoreUnderTest>, commands: readonly Command[]): Promise<void> {
  const under = await make();
  try {
    under.setTime(START);
    const model = new Model();
    for (const command of commands) {
      const [result, expected] = await step(under, model, command);
      const code = result.ok ? "done" : result.error.code;
      assert.ok(expected.includes(code), `${JSON.stringify(command)}: ${code}, not ${expected.join(" or ")}`);
    }
    await compare(under.store, model);
  } finally {
    await under.store.close();
    await under.dispose();
  }
}

type Expected = readonly (ErrorCode | "done")[];

/** Does one command to both; gives what the store said and what it may have said. */
async function step(
  under: StoreUnderTest,
  model: Model,
  command: Command,
): Promise<readonly [Result<unknown>, Expected]> {
  const { store } = under;
  switch (command.do) {
    case "acquire": {
      const session = model.of(command.session);
      const free = command.steal || !model.isHeld(session);
      if (free) {
        session.token += 1;
        session.leasedUntil = model.now + TTL;
      }
      const options = { steal: command.steal };
      return [await store.acquire(command.session, under.owners.alive, TTL, options), [free ? "done" : "lease_held"]];
    }
    case "append":
      return appendBoth(store, model, command);
    case "put": {
      const session = model.of(command.session);
      const commandId = `${command.session}/${session.life}/${command.number}`;
      const result = await store.commit({ inbox: { put: [{ commandId, session: command.session, payload: "1" }] } });
      assert.deepEqual([...good(result).duplicates], session.known.has(commandId) ? [commandId] : []);
      if (!session.known.has(commandId)) session.waiting.push(commandId);
      session.known.add(commandId);
      return [result, ["done"]];
    }
    case "wake": {
      const { wakes } = model.of(command.session);
      const at = command.inMs === null ? null : model.now + command.inMs;
      if (at === null) wakes.delete(command.name);
      else wakes.set(command.name, at);
      return [await store.commit({ wake: [{ session: command.session, name: command.name, at }] }), ["done"]];
    }
    case "reserve":
    case "settle":
      return countBoth(store, model, command);
    case "fork":
      return forkBoth(store, model, command);
    case "erase": {
      const { cells } = model.of(command.session);
      if (cells === null) return [await store.erase(command.session, 1), ["session_unknown"]];
      const seq = cells.length - command.back;
      const cell = cells[seq - 1];
      if (cell !== undefined) cell.data = null;
      return [await store.erase(command.session, seq), [cell === undefined ? "invalid_option" : "done"]];
    }
    case "remove": {
      const session = model.of(command.session);
      // Whether a session that was only taken or written to can be removed is the store's own affair.
      const expected: Expected = session.cells === null ? ["session_unknown", "done"] : ["done"];
      const result = await store.remove(command.session);
      if (result.ok) {
        Object.assign(session, { cells: null, leasedUntil: null, life: session.life + 1 });
        session.waiting.length = 0;
        session.wakes.clear();
      }
      return [result, expected];
    }
    case "tick":
      model.now += command.ms;
      under.setTime(model.now);
      return [{ ok: true, value: undefined }, ["done"]];
  }
}

async function appendBoth(
  store: Store,
  model: Model,
  command: Extract<Command, { do: "append" }>,
): Promise<readonly [Result<unknown>, Expected]> {
  const session = model.of(command.session);
  const cells = session.cells ?? [];
  const token = session.token - (command.stale ? 1 : 0);
  const expectedSeq = cells.length + command.skew;
  const texts = Array.from({ length: command.events }, () => model.text());
  const take = command.take ? session.waiting.slice(0, 2) : [];
  const release = command.release ? [{ session: command.session, token }] : [];
  const unit: Commit = {
    appends: [{ stream: command.session, token, expectedSeq, events: texts.map((text) => event(text)) }],
    inbox: { take },
    release,
  };
  const left = session.waiting.length - take.length + model.due(session).length;
  let expected: ErrorCode | "done" = "done";
  if (command.release && left > 0) expected = "conflict";
  if (command.skew !== 0) expected = "conflict";
  if (command.stale || session.leasedUntil === null) expected = "lease_lost";
  if (expected === "done") {
    session.cells = [...cells, ...texts.map((data) => ({ data }))];
    session.waiting.splice(0, take.length);
    if (command.release) session.leasedUntil = null;
  }
  return [await store.commit(unit), [expected]];
}

async function countBoth(
  store: Store,
  model: Model,
  command: Extract<Command, { do: "reserve" | "settle" }>,
): Promise<readonly [Result<unknown>, Expected]> {
  const { key, amount } = command;
  const open = model.reserved.has(key);
  if (command.do === "settle") {
    if (open) model.spent += amount;
    model.reserved.delete(key);
    const result = await store.commit({ settle: [{ scope: "s", key, actual: amount }] });
    return [result, [open ? "done" : "conflict"]];
  }
  const used = [...model.reserved.values()].reduce((sum, value) => sum + value, model.spent);
  const fits = used + amount <= LIMIT;
  // A name that was settled may be free again or not: the model gives every reservation a new one.
  if (fits && !open) model.reserved.set(key, amount);
  const result = await store.commit({ reserve: [{ scope: "s", key, amount, limit: LIMIT }] });
  if (open) return [result, fits ? ["conflict"] : ["conflict", "budget_refused"]];
  return [result, [fits ? "done" : "budget_refused"]];
}

async function forkBoth(
  store: Store,
  model: Model,
  command: Extract<Command, { do: "fork" }>,
): Promise<readonly [Result<unknown>, Expected]> {
  const parent = model.of(command.session);
  const child = model.of(command.child);
  const seq = (parent.cells?.length ?? 1) - command.back;
  const result = await store.fork(command.session, seq, command.child);
  if (parent.cells === null) return [result, ["session_unknown"]];
  const expected: ErrorCode[] = [];
  if (child.cells !== null) expected.push("session_exists");
  if (seq < 1) expected.push("invalid_option");
  if (expected.length > 0) return [result, expected];
  child.cells = parent.cells.slice(0, seq);
  return [result, ["done"]];
}

async function compare(store: Store, model: Model): Promise<void> {
  for (const [name, session] of model.sessions) {
    const { cells } = session;
    if (cells === null) {
      assert.equal(good(await store.session(name)), null);
    } else {
      const events = good(await store.read(name));
      const expected = cells.map(({ data }, index) => [index + 1, data]);
      assert.deepEqual(
        events.map(({ seq, data }) => [seq, data]),
        expected,
        `events of ${name}`,
      );
      const info = good(await store.session(name));
      assert.equal(info?.head.seq, cells.length);
      assert.equal(info?.lease?.token, model.isHeld(session) ? session.token : undefined, `lease of ${name}`);
    }
    assert.deepEqual(await waiting(store, name), session.waiting, `inbox of ${name}`);
    assert.deepEqual([...good(await store.dueWakes(name))].sort(), [...model.due(session)].sort());
  }
  const wanting = [...model.sessions].filter(([, session]) => session.waiting.length + model.due(session).length > 0);
  const free = wanting.filter(([, session]) => !model.isHeld(session)).map(([name]) => name);
  assert.deepEqual([...good(await store.wakeable())].sort(), free.sort());
  const reserved = [...model.reserved.values()].reduce((sum, value) => sum + value, 0);
  assert.deepEqual({ ...good(await store.counter("s")) }, { reserved, spent: model.spent });
  const found = good(await store.verify());
  assert.deepEqual([...found.findings], []);
}
