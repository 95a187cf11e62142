import { expect, it } from "vitest";
import { createMemoryStore } from "../../../store/memory.ts";
import type { StreamPart } from "../../session/index.ts";
import { createBenchWorld } from "../../testing/bench-world.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { progressOf } from "./progress.ts";

it("hands live output and steps to the caller", async () => {
  const clock = createVirtualClock();
  const { run, parts } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: {
      act: {
        run: (_call, { progress }) => {
          progress({ kind: "output", stream: "stdout", text: "line\n" });
          progress({ kind: "step", step: 1, total: 2, status: "half" });
          progress({ kind: "step", step: 2, status: "all" });
          return "";
        },
      },
    },
  });
  await run("go");
  expect(parts.filter((part) => part.type === "tool_progress")).toEqual([
    { type: "tool_progress", call: "8.0", kind: "output", text: "line\n" },
    { type: "tool_progress", call: "8.0", kind: "step", text: "half", step: 1, total: 2 },
    { type: "tool_progress", call: "8.0", kind: "step", text: "all", step: 2 },
  ]);
});

it("leaves out what the reader has no room for, and says how much, so that memory stays bounded", async () => {
  const emitted: StreamPart[] = [];
  let makeRoom = (): void => undefined;
  const progress = progressOf("8.0", {
    emit: (part) => {
      emitted.push(part);
      return emitted.length < 2 ? undefined : new Promise((resolve) => (makeRoom = resolve));
    },
  });
  const output = (text: string) => progress({ kind: "output", stream: "stdout", text });
  for (let n = 0; n < 1_000; n += 1) output(`${n}`);
  expect(emitted.map((part) => part.type === "tool_progress" && part.text)).toEqual(["0", "1"]);
  makeRoom();
  await Promise.resolve();
  expect(emitted.at(-1)).toMatchObject({ text: "[998 parts of live output left out: the reader was behind]" });
  makeRoom();
  await Promise.resolve();
  output("last");
  expect(emitted.at(-1)).toMatchObject({ text: "last" });
  expect(emitted).toHaveLength(4);
});

it("says nothing more of a call that has its result", async () => {
  const clock = createVirtualClock();
  let late: (() => void) | undefined;
  const { run, parts } = createBenchWorld({
    store: createMemoryStore({ now: clock.now }),
    clock,
    script: [{ calls: [{ name: "act" }] }, { text: "Done." }],
    tools: {
      act: {
        run: (_call, { progress }) => {
          late = () => progress({ kind: "output", stream: "stdout", text: "too late" });
          return "";
        },
      },
    },
  });
  await run("go", { observe: [() => late?.()] });
  const results = parts.findIndex((part) => part.type === "tool_result");
  expect(parts.slice(results).filter((part) => part.type === "tool_progress")).toEqual([]);
});
