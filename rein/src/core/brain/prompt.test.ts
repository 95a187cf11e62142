import { expect, it } from "vitest";
import { fail, ok, unwrap } from "../errors.ts";
import { type HistoryItem, initialKernelState, type KernelState } from "../session/index.ts";
import { Vector } from "../vector.ts";
import { Prompt } from "./prompt.ts";

const input = (text: string) => ({ commandId: text, mode: "start", content: [{ type: "text", text }] });
const data: Readonly<Record<number, unknown>> = {
  1: input("one"),
  2: input("two"),
  3: { items: 2, summary: "both", transition: "compact_retry" },
};
const items: readonly HistoryItem[] = [
  { kind: "input", seq: 1 },
  { kind: "input", seq: 2 },
];
const state = (history: readonly HistoryItem[], epoch = 0): KernelState => ({
  ...initialKernelState("s"),
  history: Vector.of(history),
  epoch,
});

it("loads only what is new", async () => {
  const prompt = new Prompt();
  const loaded: number[] = [];
  const load = async (seq: number) => {
    loaded.push(seq);
    return ok(data[seq]);
  };
  await prompt.render(state(items.slice(0, 1)), load);
  const messages = unwrap(await prompt.render(state(items), load));
  expect(loaded).toEqual([1, 2]);
  expect(messages).toMatchObject([{ content: [{ text: "one" }] }, { content: [{ text: "two" }] }]);
});

it("starts anew after a compaction", async () => {
  const prompt = new Prompt();
  const load = async (seq: number) => ok(data[seq]);
  await prompt.render(state(items), load);
  const messages = unwrap(await prompt.render(state([{ kind: "summary", seq: 3 }], 1), load));
  expect(messages).toEqual([
    { role: "user", content: [{ type: "text", text: "[Summary of what came before]\nboth" }] },
  ]);
});

it("goes on where it failed once the store can be read again", async () => {
  const prompt = new Prompt();
  let down = true;
  const load = async (seq: number) => (seq === 2 && down ? fail("store_io", "Away.", "Look.") : ok(data[seq]));
  expect(await prompt.render(state(items), load)).toMatchObject({ ok: false, error: { code: "store_io" } });
  down = false;
  expect(unwrap(await prompt.render(state(items), load))).toHaveLength(2);
});
