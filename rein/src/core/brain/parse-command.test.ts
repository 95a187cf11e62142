import { expect, it } from "vitest";
import { parseCommand } from "./parse-command.ts";

const text = { type: "text", text: "hello" };

it.each([
  { kind: "input", mode: "steer", content: [text] },
  {
    kind: "input",
    mode: "start",
    content: [{ type: "image", mediaType: "image/png", source: { kind: "url", url: "https://x.test/a.png" } }],
  },
  { kind: "approve", call: "8.0" },
  { kind: "approve", call: "8.0", digest: "ab", note: "fine" },
  { kind: "deny", call: "8.0", note: "no" },
  { kind: "interrupt" },
  { kind: "kill", reason: "enough" },
  { kind: "stop" },
  { kind: "pause" },
  { kind: "resume" },
  {
    kind: "settings",
    change: { models: ["a"], limits: { maxTurns: 3 }, rules: { allow: ["Read"], deny: [] }, ask: "wait" },
  },
  { kind: "settings", change: {} },
])("reads $kind", (command) => {
  expect(parseCommand(JSON.stringify(command))).toEqual({ ok: true, command });
});

it("drops members that no command has", () => {
  expect(parseCommand('{"kind":"stop","x":1}')).toEqual({ ok: true, command: { kind: "stop" } });
});

it.each([
  ["not JSON", "{", "invalid", "The command is not valid JSON."],
  ["not an object", "7", "invalid", "The command is no object."],
  ["an unknown kind", '{"kind":"explode"}', "invalid", "It is not a command this version knows."],
  ["a name of the prototype", '{"kind":"toString"}', "invalid", "It is not a command this version knows."],
  ["no kind", "{}", "invalid", "It is not a command this version knows."],
  [
    "an unknown mode",
    '{"kind":"input","mode":"shout","content":[]}',
    "input",
    "Its mode is none of start, steer, follow-up.",
  ],
  [
    "content that is no list",
    '{"kind":"input","mode":"steer","content":"hello"}',
    "input",
    "Its content is no list of blocks.",
  ],
  [
    "no content",
    '{"kind":"input","mode":"steer","content":[]}',
    "input",
    "It says nothing: give text, an image or a document.",
  ],
  [
    "blank content",
    '{"kind":"input","mode":"steer","content":[{"type":"text","text":" \\n"}]}',
    "input",
    "It says nothing: give text, an image or a document.",
  ],
  [
    "a call as input",
    '{"kind":"input","mode":"steer","content":[{"type":"tool_use","id":"t","name":"x","input":{}}]}',
    "input",
    "Its content[0].type is not one of those known.",
  ],
  [
    "a broken image",
    '{"kind":"input","mode":"steer","content":[{"type":"text","text":"a"},{"type":"image","mediaType":"image/png","source":{"kind":"url"}}]}',
    "input",
    "Its content[1].source.url is no text.",
  ],
  ["an answer to nothing", '{"kind":"approve"}', "approve", "It names no call."],
  ["a digest that is no text", '{"kind":"deny","call":"1.0","digest":5}', "deny", "Its digest is no text."],
  ["a note that is no text", '{"kind":"deny","call":"1.0","note":{}}', "deny", "Its note is no text."],
  ["a kill without a reason", '{"kind":"kill"}', "kill", "Its reason is no text."],
  ["no change", '{"kind":"settings"}', "settings", "Its change is no object."],
  [
    "a setting that is fixed",
    '{"kind":"settings","change":{"durability":"memory"}}',
    "settings",
    'The setting "durability" cannot be changed.',
  ],
  [
    "a setting of the prototype",
    '{"kind":"settings","change":{"constructor":1}}',
    "settings",
    'The setting "constructor" cannot be changed.',
  ],
  ["no models", '{"kind":"settings","change":{"models":[]}}', "settings", "Its models are no list of names."],
  [
    "models that are no names",
    '{"kind":"settings","change":{"models":[1]}}',
    "settings",
    "Its models are no list of names.",
  ],
  ["limits that are none", '{"kind":"settings","change":{"limits":null}}', "settings", "Its limits are no object."],
  [
    "an unknown limit",
    '{"kind":"settings","change":{"limits":{"maxFun":1}}}',
    "settings",
    'There is no limit "maxFun".',
  ],
  [
    "a negative limit",
    '{"kind":"settings","change":{"limits":{"maxTurns":-1}}}',
    "settings",
    "Its limit maxTurns is no number of at least 0.",
  ],
  [
    "half of the rules",
    '{"kind":"settings","change":{"rules":{"allow":[]}}}',
    "settings",
    "Its rules are no lists `allow` and `deny`.",
  ],
  ["an unknown ask", '{"kind":"settings","change":{"ask":"later"}}', "settings", "Its ask is neither deny nor wait."],
])("refuses %s", (_name, payload, kind, fault) => {
  expect(parseCommand(payload)).toEqual({ ok: false, kind, fault });
});
