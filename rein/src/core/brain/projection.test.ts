import { expect, it } from "vitest";
import type { Block } from "../message/index.ts";
import type { HistoryItem, KernelEvents } from "../session/index.ts";
import { projectItem, seqsOf } from "./projection.ts";

const responded = (content: readonly Block[]): KernelEvents["model.responded"] => ({
  turn: 1,
  content,
  stop: "tool_use",
  usage: { input: 1, output: 1 },
  duration: 0,
});

const finished = (call: string, more: Partial<KernelEvents["tool.finished"]> = {}): KernelEvents["tool.finished"] => ({
  call,
  outcome: "ok",
  content: [{ type: "text", text: "result" }],
  duration: 0,
  ...more,
});

const call = (id: string, name = "look", input = {}): Block => ({ type: "tool_use", id, name, input });

const project = (item: HistoryItem, data: Readonly<Record<number, unknown>>, used = new Set<string>()) =>
  projectItem(item, (seq) => data[seq], used);

const message = (results: Readonly<Record<string, number>>): HistoryItem => ({
  kind: "assistant",
  seq: 8,
  calls: Object.entries(results).map(([key, result]) => ({ call: key, result })),
});

it("names the events it needs", () => {
  expect(seqsOf(message({ "8.0": 11, "8.1": 10 }))).toEqual([8, 11, 10]);
  expect(seqsOf({ kind: "notice", seq: 4 })).toEqual([4]);
});

it("pairs each call with its result, in the order of the calls", () => {
  expect(
    project(message({ "8.1": 11, "8.2": 10 }), {
      8: responded([{ type: "text", text: "Looking." }, call("a"), call("b")]),
      10: finished("8.2", { outcome: "error", errorType: "tool_failed" }),
      11: finished("8.1"),
    }),
  ).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Looking." }, call("a"), call("b")] },
    {
      role: "tool",
      content: [
        { type: "tool_result", id: "a", content: [{ type: "text", text: "result" }], isError: false },
        {
          type: "tool_result",
          id: "b",
          content: [{ type: "text", text: "result" }],
          isError: true,
          errorType: "tool_failed",
        },
      ],
    },
  ]);
});

it("gives the outcome as the kind of error where the result names none", () => {
  const [, tool] = project(message({ "8.0": 9 }), {
    8: responded([call("a")]),
    9: finished("8.0", { outcome: "denied" }),
  });
  expect(tool?.content).toMatchObject([{ isError: true, errorType: "denied" }]);
});

it("gives a call without a result one", () => {
  const [, tool] = project(message({}), { 8: responded([call("a")]) });
  expect(tool).toEqual({
    role: "tool",
    content: [
      {
        type: "tool_result",
        id: "a",
        content: [
          {
            type: "text",
            text: "interrupted. The log holds no result of this call; whether it took effect is unknown: check before you repeat it.",
          },
        ],
        isError: true,
        errorType: "interrupted",
      },
    ],
  });
});

it.each([
  ["a blank name", call("a", ""), { id: "a", name: "invalid_tool_name" }],
  ["a name of 300 characters", call("a", "x".repeat(300)), { id: "a", name: "invalid_tool_name" }],
  ["a name no provider takes", call("a", "rm -rf"), { id: "a", name: "invalid_tool_name" }],
  ["a blank id", call(""), { id: "call_8_0", name: "look" }],
  ["an id that is no text", call("\ud800"), { id: "call_8_0", name: "look" }],
])("gives %s a placeholder, in call and result", (_name, block, expected) => {
  const messages = project(message({ "8.0": 9 }), { 8: responded([block]), 9: finished("8.0") });
  expect(messages[0]?.content).toMatchObject([expected]);
  expect(messages[1]?.content).toMatchObject([{ id: expected.id }]);
});

it("gives an id that was used before, in this message or another, a placeholder", () => {
  const used = new Set(["a", "call_8_1"]);
  const messages = project(message({}), { 8: responded([call("b"), call("b"), call("a")]) }, used);
  expect(messages[0]?.content).toMatchObject([{ id: "b" }, { id: "call_8_1_" }, { id: "call_8_2" }]);
  expect(messages[1]?.content).toMatchObject([{ id: "b" }, { id: "call_8_1_" }, { id: "call_8_2" }]);
});

it("never sends a fragment of arguments", () => {
  const [assistant] = project(message({}), {
    8: responded([{ type: "tool_use", id: "a", name: "look", input: {}, malformed: '{"comm' }]),
  });
  expect(assistant?.content).toEqual([call("a")]);
});

it("leaves blank text out, and a message of nothing else", () => {
  const blank: Block = { type: "text", text: " \n" };
  expect(project(message({}), { 8: responded([blank, { type: "text", text: "a" }]) })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "a" }] },
  ]);
  expect(project(message({}), { 8: responded([blank]) })).toEqual([]);
});

it("shows what was erased as erased, and leaves no result of it behind", () => {
  expect(project(message({ "8.0": 9 }), { 9: finished("8.0") })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "[erased]" }] },
  ]);
  expect(project(message({ "8.0": 9 }), { 8: responded([call("a")]) })[1]?.content).toEqual([
    { type: "tool_result", id: "a", content: [{ type: "text", text: "[erased]" }], isError: false },
  ]);
  expect(project({ kind: "input", seq: 3 }, {})).toEqual([
    { role: "user", content: [{ type: "text", text: "[erased]" }] },
  ]);
  expect(project({ kind: "notice", seq: 3 }, {})).toEqual([
    { role: "developer", content: [{ type: "text", text: "[erased]" }] },
  ]);
  expect(project({ kind: "summary", seq: 3 }, {})).toEqual([
    { role: "user", content: [{ type: "text", text: "[Summary of what came before]\n[erased]" }] },
  ]);
  expect(project({ kind: "partial", seq: 3 }, {})[0]).toEqual({
    role: "assistant",
    content: [{ type: "text", text: "[erased]" }],
  });
});

it("gives an input without text a placeholder, and drops blank text beside other blocks", () => {
  const image: Block = { type: "image", mediaType: "image/png", source: { kind: "url", url: "https://x.test/a.png" } };
  const input = (content: readonly Block[]) =>
    project({ kind: "input", seq: 3 }, { 3: { commandId: "c", mode: "start", content } });
  expect(input([{ type: "text", text: "" }])).toEqual([
    { role: "user", content: [{ type: "text", text: "[empty message]" }] },
  ]);
  expect(input([image, { type: "text", text: " " }])).toEqual([{ role: "user", content: [image] }]);
});

it("says of a cut message what cut it, without the space at its end", () => {
  expect(project({ kind: "partial", seq: 3 }, { 3: { turn: 1, text: "Half \n", by: "interrupt" } })).toEqual([
    { role: "assistant", content: [{ type: "text", text: "Half" }] },
    {
      role: "developer",
      content: [
        { type: "text", text: "[The message above was cut off by an interrupt. What follows does not repeat it.]" },
      ],
    },
  ]);
});

it("tells the model that outcomes in a gap of the store are unknown", () => {
  expect(project({ kind: "notice", seq: 3 }, { 3: { from: 4, to: 9, message: "Rows 4 to 9 are gone." } })).toEqual([
    {
      role: "developer",
      content: [
        {
          type: "text",
          text: "[The newest records of this session were lost with the machine's power: Rows 4 to 9 are gone. What was done in that gap is unknown: check before you rely on it or repeat it.]",
        },
      ],
    },
  ]);
});

it("keeps thinking and blocks it does not know as they came", () => {
  const thinking: Block = { type: "thinking", text: "Hm.", signature: "abc", vendor: "v" };
  const unknown: Block = { type: "unknown", raw: '{"type":"new","n":1.0}' };
  expect(project(message({}), { 8: responded([thinking, unknown]) })).toEqual([
    { role: "assistant", content: [thinking, unknown] },
  ]);
});
