import { expect, it } from "vitest";
import { StopSignal } from "../core/stop-signal.ts";
import { LazyToolContext } from "./lazy-tool-context.ts";
import type { ToolHands } from "./tool-context.ts";

const refused = async () => {
  throw new Error("No hands here.");
};
const hands: ToolHands = {
  readFile: refused,
  writeFile: refused,
  openTree: refused,
  execute: refused,
  executeArgv: refused,
};

function contextOf(stop: StopSignal): LazyToolContext {
  const progress = (): void => undefined;
  const parts = { session: "s1", call: "7.0", folder: "/w", limit: 1_024, elapsed: () => 5, progress, hands };
  return new LazyToolContext(parts, stop);
}

it("gives one real signal, which aborts with the call and says why", () => {
  const stop = new StopSignal();
  const { signal } = contextOf(stop);
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(signal).toBe(stop.signal);
  expect(signal.aborted).toBe(false);
  stop.abort("over");
  expect(signal.aborted).toBe(true);
  expect(signal.reason).toBe("over");
});

it("gives an aborted signal to who first asks after the end", () => {
  const stop = new StopSignal();
  const context = contextOf(stop);
  stop.abort("over");
  expect(context.signal.aborted).toBe(true);
});

it("keeps its signal in a copy, with all the rest", () => {
  const stop = new StopSignal();
  const context = contextOf(stop);
  const copy = { ...context, folder: "/elsewhere" };
  expect(Object.keys(copy).sort()).toEqual([
    "call",
    "elapsed",
    "folder",
    "hands",
    "limit",
    "progress",
    "session",
    "signal",
  ]);
  expect(copy).toMatchObject({ session: "s1", call: "7.0", folder: "/elsewhere", limit: 1_024 });
  stop.abort("over");
  expect(copy.signal.aborted).toBe(true);
});
