import { expect, it } from "vitest";
import type { Message } from "../../../message/message.ts";
import { pairingFaults } from "./pairing.ts";

const user: Message = { role: "user", content: [{ type: "text", text: "go" }] };
const calling = (...ids: string[]): Message => ({
  role: "assistant",
  content: ids.map((id) => ({ type: "tool_use", id, name: "look", input: {} })),
});
const results = (...ids: string[]): Message => ({
  role: "tool",
  content: ids.map((id) => ({ type: "tool_result", id, content: [], isError: false })),
});

it("accepts calls with their results right behind them, in their order", () => {
  expect(pairingFaults([user, calling("a", "b"), results("a", "b")])).toEqual([]);
});

it("tells of a missing, a double and an orphaned result", () => {
  expect(pairingFaults([user, calling("a", "b"), results("a")])).toEqual([
    "message 1 calls a b; the results behind it are a.",
  ]);
  expect(pairingFaults([user, calling("a"), results("a", "a")])).toEqual([
    "message 1 calls a; the results behind it are a a.",
  ]);
  expect(pairingFaults([user, results("a")])).toEqual(["message 1 has results without calls before it."]);
  expect(pairingFaults([user, calling("a"), user])).toEqual(["message 1 calls a; the results behind it are none."]);
});

it("tells of blank ids, bad names, empty messages and a wrong beginning", () => {
  expect(pairingFaults([user, calling(""), results("")])).toEqual(["message 1 has blank or repeated ids."]);
  expect(pairingFaults([{ role: "assistant", content: [] }])).toEqual([
    "it begins with the role assistant.",
    "message 0 is empty.",
  ]);
  expect(pairingFaults([])).toEqual(["it has no messages."]);
});
