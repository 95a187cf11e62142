import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Agent, createAgent, createScriptedModel, type Owner, type ScriptedStep, tool, unwrap } from "./index.ts";
import { currentOwner, openSqliteStore } from "./store/index.ts";

const storePath = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "rein-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "sessions.db");
};

const ticking = tool({
  name: "tick",
  description: "Ticks.",
  access: "public",
  input: { type: "object", properties: {}, additionalProperties: false },
  effects: () => [{ kind: "state", what: "clock" }],
  run: () => "tick",
});

const agentOf = (steps: readonly ScriptedStep[], path = storePath()) => {
  const model = createScriptedModel(steps);
  const agent: Agent = createAgent({
    model,
    store: { path },
    tools: [ticking],
    builtin: [],
    allow: ["tick"],
    limits: { maxTurns: 1 },
  });
  onTestFinished(() => agent.close());
  return { model, agent, path };
};

test("a resume after a limit goes on where the model must speak, and says idle when there is nothing more", async () => {
  const { agent, model } = agentOf([{ calls: [{ name: "tick" }] }, { text: "Half past." }]);
  expect(await agent.complete("What time is it?", { session: "s" })).toMatchObject({ reason: "max_turns" });
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "done", text: "Half past." });
  expect(model.requests[1]?.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "idle", text: "" });
  model.assertDone();
});

test("a resume after an interrupt asks what was asked", async () => {
  const { agent, model } = agentOf([{ text: "Heard." }]);
  for await (const part of agent.run("Hello?", { session: "s" })) if (part.type === "turn_start") break;
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "done", text: "Heard." });
  expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(["user"]);
});

test("a resume of a killed session says that it is killed, and why", async () => {
  const { agent } = agentOf([{ calls: [{ name: "tick" }] }]);
  await agent.complete("Hello?", { session: "s" });
  expect(await agent.kill("s", "enough")).toMatchObject({ reason: "killed", killed: "enough" });
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "killed", killed: "enough" });
});

test("a run whose session another process kills is killed, not lost", async () => {
  const one = agentOf([{ calls: [{ name: "tick" }] }, { text: "x", pace: () => new Promise(() => undefined) }]);
  const started = Promise.withResolvers<void>();
  const run = one.agent.run("Hello?", { session: "s", change: { limits: {} } });
  const end = (async () => {
    for (;;) {
      const next = await run.next();
      if (next.done === true) return next.value;
      if (next.value.type === "turn_start" && next.value.turn === 2) started.resolve();
    }
  })();
  await started.promise;
  const two = agentOf([], one.path);
  expect(await two.agent.kill("s", "enough")).toMatchObject({ reason: "killed" });
  expect(await end).toMatchObject({ reason: "killed", killed: "enough" });
  expect((await end).error).toBeUndefined();
});

test("a command is held only by a process that may live", async () => {
  const { agent, path } = agentOf([{ calls: [{ name: "tick" }] }]);
  await agent.complete("Hello?", { session: "s" });
  const hold = async (owner: Owner) => {
    const store = unwrap(await openSqliteStore({ path }));
    const lease = unwrap(await store.acquire("s", owner, 60_000, { steal: true }));
    const { held } = await agent.send("s", { kind: "stop" });
    unwrap(
      await store.commit({ release: [{ session: "s", token: lease.token }], inbox: { take: await waiting(agent) } }),
    );
    unwrap(await store.close());
    return held;
  };
  const { pid } = spawnSync(process.execPath, ["-e", "0"]);
  expect(await hold(currentOwner())).toBe(true);
  expect(await hold({ ...currentOwner(), pid })).toBe(false);
  expect(await hold({ ...currentOwner(), bootId: "another" })).toBe(true);
  expect((await agent.send("s", { kind: "stop" })).held).toBe(false);
});

const waiting = async (agent: Agent): Promise<readonly string[]> =>
  unwrap(await (await agent.store()).inbox("s")).map(({ commandId }) => commandId);

test("a session that was left in the middle says so when it is opened, and one that waits does not", async () => {
  const { agent, path } = agentOf([{ calls: [{ name: "tick" }] }, { text: "Done." }]);
  const crashedOf = async () => {
    for await (const part of agent.resume("s")) if (part.type === "session_opened") return part.crashed;
    return null;
  };
  await agent.complete("Hello?", { session: "s" });
  expect(await crashedOf()).toBe(false);
  const store = unwrap(await openSqliteStore({ path }));
  const seq = unwrap(await store.head("s"))?.seq ?? 0;
  const lease = unwrap(await store.acquire("s", currentOwner(), 60_000));
  const run = unwrap(await store.read("s", {})).filter(({ type }) => type === "run.started").length + 1;
  const started = { type: "run.started", version: 1, at: 0, data: JSON.stringify({ run }) };
  unwrap(await store.commit({ appends: [{ stream: "s", expectedSeq: seq, token: lease.token, events: [started] }] }));
  unwrap(await store.commit({ release: [{ session: "s", token: lease.token }] }));
  unwrap(await store.close());
  expect(await crashedOf()).toBe(true);
});

test.each([
  [{ parallel: Number.NaN }, "parallel is no whole number from 1 on."],
  [{ parallel: 1.5 }, "parallel is no whole number from 1 on."],
  [{ parallel: -1 }, "parallel is no whole number from 1 on."],
  [{ maxOutput: { normal: 0 } }, "maxOutput.normal is no whole number from 1 on."],
  [{ limits: { maxTurns: Number.NaN } }, "Its limit maxTurns is no number of at least 0."],
  [{ limits: { maxTime: Number.POSITIVE_INFINITY } }, "Its limit maxTime is no number of at least 0."],
  [{ limits: { maxCost: -1 } }, "Its limit maxCost is no number of at least 0."],
] as const)("the options %j are refused", async (options, message) => {
  const agent = createAgent({ model: createScriptedModel([]), ...options });
  await expect(agent.complete("Hello?")).rejects.toMatchObject({ error: { code: "invalid_option", message } });
});

test("a buffer that is no count is refused", async () => {
  const agent = createAgent({ model: createScriptedModel([]) });
  await expect(agent.complete("Hello?", { buffer: Number.NaN })).rejects.toMatchObject({
    error: { code: "invalid_option", message: "buffer is no whole number from 1 on." },
  });
});
