import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import { type BenchWorldOptions, createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";

const world = (script: NonNullable<BenchWorldOptions["script"]>) => {
  const clock = createVirtualClock();
  return createBenchWorld({ store: createMemoryStore({ now: clock.now }), clock, script });
};

const NUDGE =
  "Your message was cut by the output limit. Go on directly from where it stopped, in mid-thought if need be: no apology, no recap. Do the rest in smaller pieces.";

it("keeps what was cut under the raised limit and tells the model to go on", async () => {
  const { run, messages, data } = world([
    { text: "dropped", stop: "max_output" },
    { text: "one", stop: "max_output" },
    { text: " two." },
  ]);
  expect((await run("go")).reason).toBe("done");
  expect(messages(2)).toEqual([
    { role: "user", content: [{ type: "text", text: "go" }] },
    { role: "assistant", content: [{ type: "text", text: "one" }] },
    { role: "developer", content: [{ type: "text", text: NUDGE }] },
  ]);
  expect(await data("model.requested")).toMatchObject([
    { turn: 1, attempt: 1, transition: "start" },
    { turn: 1, attempt: 2, transition: "output_truncated" },
    { turn: 2, attempt: 1, transition: "output_truncated", escalated: true },
  ]);
});

it("gives up after three nudges and keeps every attempt", async () => {
  const cut = (text: string) => ({ text, stop: "max_output" as const });
  const { run, model, data, types } = world([cut("0"), cut("1"), cut("2"), cut("3"), cut("4")]);
  const end = await run("go");
  expect(end).toMatchObject({ reason: "failed", error: { code: "limit_reached", class: "resource" }, text: "4" });
  model.assertDone();
  expect(await data("notice.added")).toHaveLength(3);
  expect(await types(7)).toEqual([
    "model.requested",
    "model.responded",
    "model.requested",
    "model.responded",
    "notice.added",
    "model.requested",
    "model.responded",
    "notice.added",
    "model.requested",
    "model.responded",
    "notice.added",
    "model.requested",
    "model.responded",
    "run.ended",
  ]);
  expect(end.state.kernel.history.toJSON().map((item) => item.kind)).toEqual([
    "input",
    "assistant",
    "notice",
    "assistant",
    "notice",
    "assistant",
    "notice",
    "assistant",
  ]);
});

it("closes a call that was cut with its message, and never runs it", async () => {
  let ran = 0;
  const clock = createVirtualClock();
  const { run, data, messages } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [
      { text: "dropped", stop: "max_output" },
      { text: "one", calls: [{ name: "act", input: { half: true } }], stop: "max_output" },
      { text: "Done." },
    ],
    tools: { act: { run: () => String(++ran) } },
  });
  await run("go");
  expect(ran).toBe(0);
  expect(await data("call.judged")).toEqual([]);
  expect(await data("tool.finished")).toEqual([
    {
      call: "10.1",
      duration: 0,
      outcome: "cancelled",
      errorType: "cut",
      content: [
        {
          type: "text",
          text: "act: cut. The message was cut by the output limit, so this call was not run. Make it again, in a shorter message.",
        },
      ],
    },
  ]);
  expect(messages(2)?.map((message) => message.role)).toEqual(["user", "assistant", "tool", "developer"]);
});

it("counts anew after normal progress", async () => {
  const cut = (text: string) => ({ text, stop: "max_output" as const });
  const { run, data } = world([
    cut("0"),
    cut("1"),
    cut("2"),
    { calls: [{ name: "nothing" }] },
    cut("3"),
    cut("4"),
    { text: "Done." },
  ]);
  expect((await run("go")).reason).toBe("done");
  expect(await data("notice.added")).toHaveLength(3);
});
