import { describe, expect, test } from "vitest";
import type { Message } from "../../core/message/message.ts";
import { readConversation } from "./read-conversation.ts";

const user = (text: string): Message => ({ role: "user", content: [{ type: "text", text }] });
const notice = (text: string): Message => ({ role: "developer", content: [{ type: "text", text }] });
const says = (text: string): Message => ({ role: "assistant", content: [{ type: "text", text }] });
const calls = (id: string): Message => ({
  role: "assistant",
  content: [{ type: "tool_use", id, name: "read", input: { path: id } }],
});
const result = (id: string, errorType?: string): Message => ({
  role: "tool",
  content: [
    {
      type: "tool_result",
      id,
      content: [{ type: "text", text: `text of ${id}` }],
      isError: errorType !== undefined,
      ...(errorType === undefined ? {} : { errorType }),
    },
  ],
});

const read = (messages: readonly Message[]) =>
  readConversation({ messages, tools: [] }, (text) => /^(?<name>echo|examine)/.exec(text)?.groups?.name);

describe("which task it is, what was said since, and which calls belong to it", () => {
  test.each<[string, readonly Message[], { task: string; remarks: readonly string[]; calls: readonly string[] }]>([
    ["nobody has said anything", [notice("n")], { task: "", remarks: [], calls: [] }],
    ["the first message", [user(" examine ")], { task: "examine", remarks: [], calls: [] }],
    ["work", [user("examine"), calls("a"), result("a")], { task: "examine", remarks: [], calls: ["a"] }],
    [
      "a word while the work goes on",
      [user("examine"), calls("a"), result("a"), user("be quick"), calls("b"), result("b")],
      { task: "examine", remarks: ["be quick"], calls: ["a", "b"] },
    ],
    [
      "the same task again while the work goes on",
      [user("examine"), calls("a"), result("a"), user("examine more")],
      { task: "examine", remarks: ["examine more"], calls: ["a"] },
    ],
    [
      "another task after an interrupt",
      [user("examine"), calls("a"), result("a", "interrupted"), user("echo x")],
      { task: "echo x", remarks: [], calls: [] },
    ],
    [
      "a task after an answer",
      [user("examine"), calls("a"), result("a"), says("Done."), user("more")],
      { task: "more", remarks: [], calls: [] },
    ],
    [
      "words to go on",
      [user("examine"), calls("a"), result("a"), says("Done."), user("Please continue."), user("继续")],
      { task: "examine", remarks: [], calls: ["a"] },
    ],
    [
      "a message that was cut off is no answer",
      [
        user("examine"),
        calls("a"),
        result("a"),
        says("I ru"),
        notice("[The message above was cut off by a crash.]"),
        user("be quick"),
      ],
      { task: "examine", remarks: ["be quick"], calls: ["a"] },
    ],
    [
      "a notice begins nothing",
      [user("examine"), calls("a"), result("a"), says("Done."), notice("Go on: look for what is missing.")],
      { task: "examine", remarks: [], calls: ["a"] },
    ],
  ])("%s", (_, messages, expected) => {
    const { task, remarks, calls: past } = read(messages);
    expect({ task, remarks, calls: past.map(({ input }) => input.path) }).toEqual(expected);
  });
});

test.each([
  [undefined, "ok"],
  ["denied", "denied"],
  ["tool_denied", "denied"],
  ["tool_timeout", "timeout"],
  ["outcome_unknown", "unknown"],
  ["interrupted", "interrupted"],
  ["cut", "cancelled"],
  ["tool_failed", "broken"],
  ["constructor", "broken"],
])("a result of type %s is %s", (errorType, outcome) => {
  expect(read([user("examine"), calls("a"), result("a", errorType)]).calls[0]?.outcome).toBe(outcome);
});

test("results are found by the message they follow, even where ids come again", () => {
  const { calls: past } = read([
    user("examine"),
    calls("a"),
    result("a", "denied"),
    calls("a"),
    result("a"),
    calls("a"),
  ]);
  expect(past.map(({ outcome }) => outcome)).toEqual(["denied", "ok", "missing"]);
});
