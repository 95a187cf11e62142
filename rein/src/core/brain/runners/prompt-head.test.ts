import { expect, it } from "vitest";
import { ok, unwrap } from "../../errors.ts";
import { initialKernelState, type KernelState } from "../../session/index.ts";
import { PromptHead } from "./prompt-head.ts";

const state = (system: string | null, tools: string | null): KernelState => ({
  ...initialKernelState("s"),
  captured: { system, tools, offered: [] },
});

const tool = { name: "look", description: "Looks.", input: { type: "object" } };

const head = (blobs: Readonly<Record<string, string>>) => {
  const read: string[] = [];
  return {
    read,
    head: new PromptHead(async (hash) => {
      read.push(hash);
      const text = blobs[hash];
      return ok(text === undefined ? null : Buffer.from(text));
    }),
  };
};

it("reads each capture once", async () => {
  const { head: loader, read } = head({ s1: "One.", s2: "Two.", t1: JSON.stringify([tool]) });
  expect(unwrap(await loader.load(state("s1", "t1")))).toEqual({ system: "One.", tools: [tool] });
  await loader.load(state("s1", "t1"));
  expect(read).toEqual(["s1", "t1"]);
  expect(unwrap(await loader.load(state("s2", "t1"))).system).toBe("Two.");
});

it.each([
  ["nothing was captured", state(null, null), "is missing"],
  ["a blob is gone", state("s1", "gone"), "is missing"],
  ["a tool is none", state("s1", "bad"), "holds something that is no tool"],
  ["the tools are no list", state("s1", "object"), "holds something that is no tool"],
])("says when %s", async (_name, kernel, what) => {
  const { head: loader } = head({ s1: "One.", bad: '[{"name":"look"}]', object: "{}" });
  expect(await loader.load(kernel)).toMatchObject({
    ok: false,
    error: { code: "store_damaged", message: `The captured head of the prompt ${what}.` },
  });
});
