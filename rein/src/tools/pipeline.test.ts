import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ok, ReinFailure, reinError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { createPermitOffice } from "../core/permit.ts";
import type { CallContext, CallResult, Clock, Guard, PendingCall, ToolProgress, Tools } from "../core/ports.ts";
import type { CallJudgement, SessionSettings } from "../core/session/index.ts";
import { createGuard, createRedact, POLICIES, type Policy } from "../guard/index.ts";
import { createPlainHands, resolvePath } from "../hands/index.ts";
import { createTools, type ToolsOptions } from "./pipeline.ts";
import { toolFailure } from "./result/tool-failure.ts";
import { type Tool, tool } from "./tool.ts";
import type { ToolDefinition } from "./tool-definition.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "rein-tools-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

let ids = 0;
const clock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  id: () => `id${ids++}`,
  random: () => 0.5,
  // The promise of a stopped wait rejects; the port's never does.
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/** The real guard and the real hands behind the pipeline. */
function toolsWith(
  tools: readonly Tool[],
  more: Partial<ToolsOptions> & { readonly policies?: readonly Policy[] } = {},
): Tools {
  const office = createPermitOffice();
  const made = createTools({
    tools,
    guard: createGuard({ office, resolvePath, home: "/nowhere", policies: more.policies ?? POLICIES }),
    hands: createPlainHands({
      office,
      clock,
      env: process.env,
      host: { host: "test", bootId: "boot", pidNamespace: "ns" },
    }),
    redact: createRedact({ env: {}, extra: { TOKEN: "hunter2hunter2" } }),
    clock,
    ...more,
  });
  if (!made.ok) throw new ReinFailure(made.error);
  return made.value;
}

function callOf(tools: Tools, name: string, input: JsonObject = {}, more: Partial<PendingCall> = {}): PendingCall {
  const settings: SessionSettings = {
    models: ["m"],
    folder,
    rules: { allow: ["Bash", "Write"], deny: [] },
    limits: {},
    durability: "memory",
    ask: "wait",
    linear: false,
  };
  return {
    session: "s1",
    call: "7.0",
    name,
    input,
    settings,
    offered: tools.schemas.map((schema) => schema.name),
    ...more,
  };
}

interface Ran {
  readonly judgement: CallJudgement;
  readonly result: CallResult;
  readonly progress: readonly ToolProgress[];
}

async function run(tools: Tools, call: PendingCall, signal: AbortSignal = new AbortController().signal): Promise<Ran> {
  const progress: ToolProgress[] = [];
  const context: CallContext = { signal, announce: async () => ok(undefined), progress: (part) => progress.push(part) };
  const judgement = await tools.judge(call);
  const result = await tools.execute(call, judgement, null, context);
  return { judgement, result, progress };
}

function textOf(result: CallResult): string {
  return result.content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
}

const anything = { type: "object" } as const;
type Loose = ToolDefinition<typeof anything>;

function own(more: Partial<Loose> = {}): Tool {
  return tool({
    name: "mine",
    description: "Does something.",
    access: "public",
    input: anything,
    effects: () => [],
    run: () => "done",
    ...more,
  });
}

describe("find", () => {
  test("an unknown name is denied with the nearest one and all that are offered", async () => {
    const tools = toolsWith([]);
    const judgement = await tools.judge(callOf(tools, "Raed"));
    expect(judgement).toMatchObject({
      decision: "deny",
      policy: "tool_unknown",
      accesses: [],
      effects: [],
      recover: "never",
    });
    expect(judgement.reason).toBe(
      'tool_unknown: There is no tool "Raed" in this session.\nWhat to try: Use one of: shell, read, write, list, search.',
    );
    const near = await tools.judge(callOf(tools, "serach"));
    expect(near.reason).toContain("Did you mean `search`?");
  });

  test("a tool that exists and is not offered is unknown", async () => {
    const tools = toolsWith([own()]);
    const judgement = await tools.judge(callOf(tools, "mine", {}, { offered: ["read"] }));
    expect(judgement).toMatchObject({ decision: "deny", policy: "tool_unknown" });
  });

  test("hostile names", async () => {
    const tools = toolsWith([]);
    for (const name of ["", "__proto__", "constructor", "x".repeat(100_000), "a\0b", "\ud800"]) {
      const { decision, reason } = await tools.judge(callOf(tools, name));
      expect(decision).toBe("deny");
      expect(reason.length).toBeLessThan(400);
      expect(reason.isWellFormed()).toBe(true);
    }
  });
});

describe("validate", () => {
  test("arguments that do not fit are denied, with field, what came and what is allowed", async () => {
    const tools = toolsWith([]);
    const judgement = await tools.judge(callOf(tools, "read", { path: "a", from: 0 }));
    expect(judgement).toMatchObject({ decision: "deny", policy: "tool_arguments_invalid" });
    expect(judgement.reason).toBe(`tool_arguments_invalid: The arguments do not fit:
- from: got 0; Too small: expected number to be >=1
Its arguments: path (required), from, to.
What to try: Call it again with arguments that fit.`);
  });

  test("raw text that is no JSON object says what was wrong", async () => {
    const tools = toolsWith([]);
    const reasonOf = async (malformed: string) => (await tools.judge(callOf(tools, "read", {}, { malformed }))).reason;
    expect(await reasonOf('{"path": "a", "fro')).toContain('not valid JSON ("Unterminated string');
    expect(await reasonOf('["a.ts"]')).toContain("They are a list, not a JSON object");
    expect(await reasonOf('"a.ts"')).toContain("They are a string, not a JSON object");
    expect(await reasonOf("null")).toContain("They are null, not a JSON object");
    const deep = `${'{"a":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    expect(await reasonOf(deep)).toContain('They are nested deeper than 64 levels: "{\\"a\\":');
  });

  test("the mark of a secret refuses the call, wherever it stands", async () => {
    const tools = toolsWith([own()]);
    for (const input of [{ a: "key [secret:TOKEN]" }, { a: { b: ["[secret:OTHER]"] } }, { "[secret:X]": 1 }]) {
      const judgement = await tools.judge(callOf(tools, "mine", input));
      expect(judgement).toMatchObject({ decision: "deny", policy: "tool_arguments_invalid" });
      expect(judgement.reason).toContain("stands for a value you were not shown");
    }
    expect(await tools.judge(callOf(tools, "mine", { a: "no [secret] here" }))).toMatchObject({ decision: "allow" });
  });

  test("hostile depth is refused, not a stack overflow", async () => {
    const tools = toolsWith([own()]);
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level += 1) deep = { a: deep };
    const judgement = await tools.judge(callOf(tools, "mine", deep));
    expect(judgement.reason).toContain("nested deeper than 64 levels");
  });

  test("the same refused call has the same digest, another has another", async () => {
    const tools = toolsWith([]);
    const digestOf = async (input: JsonObject) => (await tools.judge(callOf(tools, "read", input))).digest;
    expect(await digestOf({ a: 1, b: 2 })).toBe(await digestOf({ b: 2, a: 1 }));
    expect(await digestOf({ a: 1 })).not.toBe(await digestOf({ a: 2 }));
  });
});

describe("permission", () => {
  test("the judgement holds what the gate and the tool say", async () => {
    const tools = toolsWith([]);
    expect(await tools.judge(callOf(tools, "read", { path: "a.txt" }))).toMatchObject({
      decision: "allow",
      policy: "workspace-read",
      effects: [{ kind: "read", path: join(folder, "a.txt") }],
      readOnly: true,
      recover: "rerun",
      accesses: [{ resource: `path:${join(folder, "a.txt")}`, write: false }],
    });
  });

  test("two names of one file are one resource", async () => {
    writeFileSync(join(folder, "a.txt"), "x");
    symlinkSync("a.txt", join(folder, "b.txt"));
    symlinkSync(".", join(folder, "here"));
    const accesses = (path: string) => own({ accesses: () => [{ resource: `path:${path}`, write: true }] });
    const byEffect = own({ effects: ({ path }) => [{ kind: "write", path: String(path) }] });
    const resources = async (made: Tool, path: string) => {
      const tools = toolsWith([made]);
      return (await tools.judge(callOf(tools, "mine", { path }))).accesses;
    };
    const file = [{ resource: `path:${join(folder, "a.txt")}`, write: true }];
    for (const path of ["a.txt", "./a.txt", "b.txt", "here/a.txt", "here/b.txt", join(folder, "b.txt")]) {
      expect(await resources(byEffect, path), path).toEqual(file);
    }
    expect(await resources(accesses("./a.txt"), "")).toEqual(file);
  });

  test("a call without effects runs unasked only when its tool is public or read-only", async () => {
    const decisionOf = async (more: Partial<Loose>) => {
      const tools = toolsWith([own(more)]);
      const { decision, policy } = await tools.judge(callOf(tools, "mine"));
      return `${decision} ${policy}`;
    };
    for (const access of ["trusted", "admin", "system"] as const) {
      expect(await decisionOf({ access })).toBe("ask no-grant");
      expect(await decisionOf({ access, effects: () => [{ kind: "state", what: "x" }] })).toBe("ask no-grant");
      expect(await decisionOf({ access, readOnly: () => true })).toBe("allow no-effect");
      expect(
        await decisionOf({
          access,
          readOnly: () => {
            throw new Error("x");
          },
        }),
      ).toBe("ask own-ask");
    }
    expect(await decisionOf({ access: "public" })).toBe("allow no-effect");
  });

  test("judging a call that touches no path is over at once", async () => {
    const tools = toolsWith([own()]);
    await tools.judge(callOf(tools, "mine"));
    expect(tools.judge(callOf(tools, "mine"))).not.toBeInstanceOf(Promise);
  });

  test("a policy that changes the arguments: validated again, run with the new ones", async () => {
    const trim: Policy = {
      name: "trim",
      grants: false,
      judge: ({ input }) => ({ answer: "modify", input: { text: String(input.text).trim() }, reason: "no blanks" }),
    };
    const echo = tool({
      name: "echo",
      description: "Says it.",
      access: "public",
      input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
      effects: () => [],
      run: ({ text }) => `<${text}>`,
    });
    const tools = toolsWith([echo], { policies: [trim, ...POLICIES] });
    const { judgement, result } = await run(tools, callOf(tools, "echo", { text: " hi " }));
    expect(judgement).toMatchObject({ decision: "allow", input: { text: "hi" } });
    expect(result).toMatchObject({ outcome: "ok", content: [{ type: "text", text: "<hi>" }] });
  });

  test("a change that does not fit is denied, and so is one that never ends", async () => {
    const strict = own({ name: "strict" });
    const count: Policy = {
      name: "count",
      grants: false,
      judge: ({ input }) => ({ answer: "modify", input: { n: Number(input.n ?? 0) + 1 }, reason: "more" }),
    };
    const endless = toolsWith([strict], { policies: [count, ...POLICIES] });
    expect(await endless.judge(callOf(endless, "strict"))).toMatchObject({ decision: "deny" });
    const spoil: Policy = {
      name: "spoil",
      grants: false,
      judge: () => ({ answer: "modify", input: { path: 1 }, reason: "x" }),
    };
    const spoiled = toolsWith([], { policies: [spoil, ...POLICIES] });
    const judgement = await spoiled.judge(callOf(spoiled, "read", { path: "a" }));
    expect(judgement).toMatchObject({ decision: "deny", policy: "tool_arguments_invalid" });
    expect(judgement.reason).toContain("After a policy changed the arguments: The arguments do not fit");
  });

  test("a gate that fails is a denial", async () => {
    const guard: Guard = {
      judge: () => Promise.reject(new Error("no disk")),
      admit: () => Promise.reject(new Error("no disk")),
    };
    const ran: string[] = [];
    const tools = toolsWith([own({ run: () => ran.push("mine") })], { guard });
    const { judgement, result } = await run(tools, callOf(tools, "mine"));
    expect(judgement).toMatchObject({ decision: "deny", policy: "gate" });
    expect(judgement.reason).toContain("no disk");
    expect(result).toMatchObject({ outcome: "denied", errorType: "tool_denied" });
    expect(ran).toEqual([]);
  });

  test("what the gate no longer allows at execution is not run", async () => {
    const tools = toolsWith([]);
    const call = callOf(tools, "write", { path: "a.txt", content: "x" });
    const judgement = await tools.judge(call);
    expect(judgement.decision).toBe("allow");
    const stricter = { ...call, settings: { ...call.settings, rules: { allow: [], deny: [] } } };
    const context: CallContext = {
      signal: new AbortController().signal,
      announce: async () => ok(undefined),
      progress: () => undefined,
    };
    const result = await tools.execute(stricter, judgement, null, context);
    expect(result).toMatchObject({ outcome: "denied", errorType: "tool_denied" });
    expect(textOf(result)).toMatch(/^write failed \(tool_denied\): No rule allows to write/);
    expect(() => readFileSync(join(folder, "a.txt"))).toThrow(/ENOENT/);
    const approved = await tools.execute(stricter, judgement, judgement.digest, context);
    expect(approved.outcome).toBe("ok");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("x");
  });

  test("the tool's own check asks", async () => {
    const tools = toolsWith([own({ ask: () => "costs money" })]);
    expect(await tools.judge(callOf(tools, "mine"))).toMatchObject({ decision: "ask", reason: "costs money" });
  });
});

describe("execute", () => {
  test("every stage is timed", async () => {
    const tools = toolsWith([own()]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(Object.keys(result.stages ?? {})).toEqual([
      "find",
      "validate",
      "permission",
      "execute",
      "process",
      "persist",
    ]);
    expect(Object.values(result.stages ?? {}).every((ms) => ms >= 0)).toBe(true);
  });

  test("hands do what was declared and nothing else", async () => {
    writeFileSync(join(folder, "a.txt"), "A");
    const tools = toolsWith([
      own({
        effects: () => [{ kind: "read", path: "a.txt" }],
        run: async (_, { hands }) => {
          const declared = await hands.readFile("./x/../a.txt");
          const others = [
            await hands.readFile("b.txt"),
            await hands.writeFile("a.txt", "B"),
            await hands.openTree("."),
            await hands.execute("touch owned"),
            await hands.executeArgv(["touch", "owned"]),
          ];
          return [
            declared.ok && new TextDecoder().decode(declared.value.bytes),
            ...others.map((other) => !other.ok && other.error.code),
          ];
        },
      }),
    ]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(textOf(result)).toBe(
      '["A","permit_missing","permit_missing","permit_missing","permit_missing","permit_missing"]',
    );
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("A");
  });

  test.each<[string, () => never, string, string]>([
    [
      "an error",
      () => {
        throw new TypeError("x is not a function");
      },
      "tool_failed",
      "mine failed (tool_failed): TypeError: x is not a function",
    ],
    [
      "a system error",
      () => {
        throw Object.assign(new Error("nope"), { code: "ENOSPC" });
      },
      "tool_failed",
      "What to try: Free some space",
    ],
    [
      "an error of Rein",
      () => {
        throw new ReinFailure(reinError("store_full", "Full.", "Make room."));
      },
      "store_full",
      "mine failed (store_full): Full.\nWhat to try: Make room.",
    ],
    [
      "no error at all",
      () => {
        throw "words";
      },
      "tool_failed",
      "It threw words.",
    ],
    [
      "something unreadable",
      () => {
        throw Object.create(null);
      },
      "tool_failed",
      "It threw something that cannot be read",
    ],
    [
      "a secret",
      () => {
        throw new Error("bad key hunter2hunter2");
      },
      "tool_failed",
      "bad key [secret:TOKEN]",
    ],
  ])("a handler that throws %s gives a result", async (_, boom, errorType, part) => {
    const tools = toolsWith([own({ run: boom })]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(result).toMatchObject({ outcome: "error", errorType });
    expect(textOf(result)).toContain(part);
    expect(textOf(result)).toContain("What to try: ");
  });

  test("an output that is not what the tool says it returns", async () => {
    const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const;
    const tools = toolsWith([
      own({ output, run: () => ({ n: "1" }) }),
      own({ name: "right", output, run: () => ({ n: 1 }) }),
    ]);
    const wrong = await run(tools, callOf(tools, "mine"));
    expect(wrong.result).toMatchObject({ outcome: "error", errorType: "tool_failed" });
    expect(textOf(wrong.result)).toContain("n: Invalid input: expected number, received string");
    expect(textOf((await run(tools, callOf(tools, "right"))).result)).toBe('{"n":1}');
  });

  test("time over: stopped, what it still gives is kept, and its hands are tied", async () => {
    let late: Promise<string> = Promise.resolve("never ran");
    const tools = toolsWith([
      own({
        timeout: 20,
        effects: () => [{ kind: "write", path: "late.txt" }],
        run: async (_, { hands, signal }) => {
          await new Promise((done) => signal.addEventListener("abort", done));
          late = hands.writeFile("late.txt", "x").then((written) => (written.ok ? "written" : written.error.code));
          return "half of it";
        },
      }),
    ]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(result).toMatchObject({ outcome: "error", errorType: "tool_timeout" });
    expect(textOf(result)).toBe(`mine failed (tool_timeout): It did not end within 20 ms and was stopped.
What to try: Ask for less at a time. It may have taken effect in part: check before you call it again.
half of it`);
    expect(await late).toBe("aborted");
  });

  test("after it has returned, its hands are tied too", async () => {
    let later: Promise<string> = Promise.resolve("never ran");
    const effects: Loose["effects"] = () => [{ kind: "write", path: "later.txt" }];
    const tools = toolsWith([
      own({
        effects,
        run: (_, { hands }) => {
          later = sleep(20).then(async () => {
            const written = await hands.writeFile("later.txt", "x");
            return written.ok ? "written" : written.error.code;
          });
          return "done";
        },
      }),
    ]);
    expect(await run(tools, callOf(tools, "mine"))).toMatchObject({ result: { outcome: "ok" } });
    expect(await later).toBe("aborted");
  });

  test("a handler that does not listen is left behind after the grace", async () => {
    const tools = toolsWith([own({ timeout: 20, run: () => new Promise<never>(() => undefined) })], {
      limits: { grace: 20 },
    });
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(result).toMatchObject({ outcome: "error", errorType: "tool_timeout" });
  });

  test("interrupted: says so, with what there is", async () => {
    const stop = new AbortController();
    const tools = toolsWith([
      own({
        readOnly: () => true,
        run: async (_, { signal }) => {
          const aborted = new Promise((done) => signal.addEventListener("abort", done));
          stop.abort();
          await aborted;
          return "so far";
        },
      }),
    ]);
    const { result } = await run(tools, callOf(tools, "mine"), stop.signal);
    expect(result).toMatchObject({ outcome: "interrupted", errorType: "interrupted" });
    expect(textOf(result)).toBe(`mine failed (interrupted): It was interrupted before it ended.
What to try: Go on only if the user still wants it.
so far`);
  });

  test("interrupted before it begins: the handler is not called", async () => {
    const ran: string[] = [];
    const tools = toolsWith([own({ run: () => ran.push("mine") })]);
    const { result } = await run(tools, callOf(tools, "mine"), AbortSignal.abort());
    expect(result.outcome).toBe("interrupted");
    expect(ran).toEqual([]);
  });

  test("a real process is ended on interrupt, and its output is kept", async () => {
    const stop = new AbortController();
    const tools = toolsWith([]);
    const call = callOf(tools, "shell", { command: "echo begun; sleep 30; touch ended" });
    const judgement = await tools.judge(call);
    const result = await tools.execute(call, judgement, null, {
      signal: stop.signal,
      announce: async () => ok(undefined),
      progress: (part) => part.kind === "output" && part.text.includes("begun") && stop.abort(),
    });
    expect(result.outcome).toBe("interrupted");
    expect(textOf(result)).toContain("ended by signal SIGTERM\nbegun");
    expect(() => readFileSync(join(folder, "ended"))).toThrow(/ENOENT/);
  });

  test("live output comes without secrets, also where one comes in two pieces", async () => {
    const tools = toolsWith([
      own({
        run: (_, { progress }) => {
          progress({ kind: "output", stream: "stdout", text: "key hunter2" });
          progress({ kind: "output", stream: "stdout", text: "hunter2 end" });
          progress({ kind: "step", step: 1, total: 2, status: "with hunter2hunter2" });
          return "";
        },
      }),
    ]);
    const { progress } = await run(tools, callOf(tools, "mine"));
    const shown = progress.map((part) => (part.kind === "output" ? part.text : part.status)).join("");
    expect(shown).toContain("key [secret:TOKEN]");
    expect(shown).not.toContain("hunter2");
  });

  test("a result of 50 MB", async () => {
    const tools = toolsWith([own({ run: () => "x".repeat(50 * 1024 * 1024) })]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(result).toMatchObject({ outcome: "ok", originalBytes: 52_428_800 });
    expect(textOf(result).length).toBeLessThan(20_000);
    expect(result.blobs?.map(({ bytes }) => bytes.length)).toEqual([expect.closeTo(1024 * 1024, -2)]);
  });

  test("a tool's own limit", async () => {
    const tools = toolsWith([own({ limit: 2_048, run: (_, { limit }) => `${limit} ${"y".repeat(4_000)}` })]);
    const { result } = await run(tools, callOf(tools, "mine"));
    expect(textOf(result).startsWith("2048 yyy")).toBe(true);
    expect(result.originalBytes).toBe(4_005);
  });

  test("a tool that is gone since it was judged is an error, not an exception", async () => {
    const before = toolsWith([own()]);
    const call = callOf(before, "mine");
    const judgement = await before.judge(call);
    const context: CallContext = {
      signal: new AbortController().signal,
      announce: async () => ok(undefined),
      progress: () => undefined,
    };
    const result = await toolsWith([]).execute(call, judgement, null, context);
    expect(result).toMatchObject({ outcome: "error", errorType: "tool_unknown" });
  });
});

describe("reconcile", () => {
  const context: CallContext = {
    signal: new AbortController().signal,
    announce: async () => ok(undefined),
    progress: () => undefined,
  };
  const saver = (reconcile: Loose["reconcile"]): Tool =>
    own({
      effects: () => [{ kind: "write", path: "out.txt" }],
      recover: "reconcile",
      ...(reconcile === undefined ? {} : { reconcile }),
    });

  async function reconciled(made: Tool): Promise<CallResult | null> {
    const tools = toolsWith([made]);
    const call = callOf(tools, "mine");
    return tools.reconcile(call, await tools.judge(call), context);
  }

  test("the tool looks at what it would have written, and may not write", async () => {
    writeFileSync(join(folder, "out.txt"), "whole");
    const result = await reconciled(
      saver(async (_, { hands }) => {
        const written = await hands.writeFile("out.txt", "again");
        const file = await hands.readFile("out.txt");
        return `${written.ok} ${file.ok && new TextDecoder().decode(file.value.bytes)}`;
      }),
    );
    expect(result).toMatchObject({ outcome: "ok", content: [{ type: "text", text: "false whole" }] });
    expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe("whole");
  });

  test("cannot tell: null", async () => {
    expect(await reconciled(saver(() => undefined))).toBeNull();
    expect(
      await reconciled(
        saver(() => {
          throw new Error("gone");
        }),
      ),
    ).toBeNull();
    expect(await reconciled(own())).toBeNull();
  });

  test("it can say that the call failed", async () => {
    const result = await reconciled(
      saver(() => toolFailure({ type: "half", message: "Half written.", hint: "Write again." })),
    );
    expect(result).toMatchObject({ outcome: "error", errorType: "half" });
  });
});
