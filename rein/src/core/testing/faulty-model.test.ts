import { expect, it } from "vitest";
import type { ModelRequest } from "../ports.ts";
import { createFaultyModel, type ModelFault } from "./faulty-model.ts";
import { createScriptedModel } from "./scripted-model.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const request: ModelRequest = {
  model: "m",
  system: "",
  tools: [],
  messages: [],
  trace: { session: "s", turn: 1, attempt: 1 },
};

/** What comes of one request under a fault, and how much time it takes. */
async function play(
  fault: ModelFault,
  signal = new AbortController().signal,
): Promise<{ readonly parts: string[]; readonly passed: number }> {
  const clock = createVirtualClock();
  const told: ModelFault[] = [];
  const model = createFaultyModel(createScriptedModel([{ text: "Hello there.", chunk: 3 }]), {
    random: () => 0.5,
    clock,
    chances: { [fault]: 1 },
    codes: ["model_overloaded"],
    stallFor: 5_000,
    onFault: (kind) => told.push(kind),
  });
  const parts: string[] = [];
  let over = false;
  const reading = (async () => {
    try {
      for await (const part of model.stream(request, signal))
        parts.push(part.type === "error" ? `error ${part.error.code}` : part.type);
    } catch (thrown) {
      parts.push(`thrown ${thrown instanceof Error ? thrown.message : ""}`);
    }
    over = true;
  })();
  await clock.advance(0);
  while (!over && (await clock.advanceToNext()));
  await reading;
  expect(told).toEqual([fault]);
  return { parts, passed: clock.monotonic() };
}

it("ends each faulty stream as its fault says", async () => {
  const ends: Record<string, string | undefined> = {};
  for (const fault of ["error", "cut", "stall", "deaf-stall", "throw", "done-twice", "drip"] as const)
    ends[fault] = (await play(fault)).parts.at(-1);
  expect(ends).toEqual({
    error: "error model_overloaded",
    cut: "text_delta",
    stall: "error model_timeout",
    "deaf-stall": "error model_timeout",
    throw: "thrown The faulty model threw.",
    "done-twice": "done",
    drip: "done",
  });
});

it("says more behind the end when it is done twice", async () => {
  const { parts } = await play("done-twice");
  expect(parts.slice(-3)).toEqual(["done", "text_delta", "done"]);
});

it("listens to the abort while it stalls, unless it is deaf", async () => {
  const aborted = AbortSignal.abort();
  expect((await play("stall", aborted)).passed).toBe(0);
  expect((await play("deaf-stall", aborted)).passed).toBe(5_000);
});
