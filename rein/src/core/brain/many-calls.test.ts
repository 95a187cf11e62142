import { expect, test } from "vitest";
import { createAgent, createScriptedModel, type ScriptedStep, systemClock, tool } from "../../index.ts";
import { MOST_CALLS } from "../session/index.ts";

const runs: number[] = [];
const peek = tool({
  name: "peek",
  description: "Peeks.",
  access: "public",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  effects: () => [],
  readOnly: () => true,
  run: ({ n }) => `saw ${runs.push(n)}`,
});

const callsOf = (count: number) => Array.from({ length: count }, (_, n) => ({ name: "peek", input: { n } }));

test("of 10,000 calls in a message the first ones run, each other is answered, and the event loop turns meanwhile", async () => {
  let turns = 0;
  const breathe = async (): Promise<void> => {
    turns += 1;
    await systemClock.breathe?.();
  };
  let now = 0;
  // Each look at it takes 1 ms, so that the test does not hang on how fast the machine is.
  const clock = { ...systemClock, breathe, monotonic: () => (now += 1) };
  const model = createScriptedModel([{ calls: callsOf(10_000) }, { text: "Seen." }]);
  const agent = createAgent({ model, tools: [peek], builtin: [], clock });
  const notices: string[] = [];
  runs.length = 0;
  for await (const part of agent.run("Look.")) if (part.type === "notice") notices.push(part.text);
  expect(runs).toEqual(callsOf(MOST_CALLS).map(({ input }) => input.n));
  expect(notices).toEqual(["The message makes 10000 calls; only the first 128 are carried out."]);

  const answers = model.requests[1]?.messages.at(-1)?.content ?? [];
  const outcome = answers.map((block) => (block.type === "tool_result" ? (block.errorType ?? "ok") : block.type));
  expect(outcome).toEqual(callsOf(10_000).map((_, n) => (n < MOST_CALLS ? "ok" : "limit_reached")));
  expect(answers.at(-1)).toMatchObject({
    isError: true,
    content: [
      {
        type: "text",
        text: "limit_reached: not run, only the first 128 calls of a message are. Make it again if it is still needed.",
      },
    ],
  });
  expect(turns).toBeGreaterThan(10);
  model.assertDone();
  await agent.close();
});

test("as many calls as are carried out all run, and nothing is said", async () => {
  const model = createScriptedModel([{ calls: callsOf(MOST_CALLS) }, { text: "Seen." }]);
  const agent = createAgent({ model, tools: [peek], builtin: [] });
  runs.length = 0;
  for await (const part of agent.run("Look.")) expect(part.type).not.toBe("notice");
  expect(runs).toHaveLength(MOST_CALLS);
  await agent.close();
});

test("timers fire while a model and its tools answer at once", async () => {
  let left = 400;
  const step = (): ScriptedStep => {
    left -= 1;
    return left < 0 ? { text: "Done." } : { calls: [{ name: "peek", input: { n: left } }] };
  };
  const model = createScriptedModel(step, { record: false });
  let now = 0;
  const clock = { ...systemClock, monotonic: () => (now += 1) };
  const agent = createAgent({ model, tools: [peek], builtin: [], limits: {}, clock });
  let fired: string | null = null;
  let turn = 0;
  for await (const part of agent.run("Go.")) {
    if (part.type !== "turn_start") continue;
    turn = part.turn;
    if (turn === 2) setTimeout(() => (fired = `turn ${turn}`), 1);
  }
  expect(turn).toBe(401);
  expect(fired).toMatch(/^turn \d+$/);
  expect(fired).not.toBe("turn 401");
  await agent.close();
});
