import fc from "fast-check";
import { expect, it } from "vitest";
import { unwrap } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { decodeMessage, encodeMessage } from "./codec.ts";
import type { Block, Message } from "./message.ts";

const all: readonly Block[] = [
  { type: "text", text: "Hello \ud800\u0000" },
  { type: "thinking", text: "Hm.", signature: "c2ln", vendor: "v" },
  { type: "thinking", text: "", signature: "x", redacted: true },
  { type: "tool_use", id: "t1", name: "look", input: { at: ["a", 1, null] } },
  { type: "tool_use", id: "t2", name: "look", input: {}, malformed: '{"at' },
  {
    type: "tool_result",
    id: "t1",
    content: [
      { type: "text", text: "seen" },
      { type: "image", mediaType: "image/png", source: { kind: "blob", hash: "ab", size: 3 } },
    ],
    isError: true,
    errorType: "denied",
  },
  { type: "image", mediaType: "image/png", source: { kind: "base64", data: "aGk=" } },
  { type: "document", mediaType: "application/pdf", source: { kind: "url", url: "https://x.test/a" }, name: "a.pdf" },
];

it("writes version 1, the members in a fixed order", () => {
  const message: Message = {
    metadata: { a: 1 },
    at: 5,
    parentId: "p",
    id: "m",
    content: [{ type: "text", text: "a" }],
    role: "user",
  };
  expect(encodeMessage(message)).toEqual({
    ok: true,
    value:
      '{"v":1,"role":"user","content":[{"type":"text","text":"a"}],"id":"m","parentId":"p","at":5,"metadata":{"a":1}}',
  });
});

it("reads every block it knows back", () => {
  const message: Message = { role: "assistant", content: all };
  expect(decodeMessage(unwrap(encodeMessage(message)))).toEqual({ ok: true, value: message });
});

it.each([
  ['{"role":"user","content":"hello"}', { role: "user", content: [{ type: "text", text: "hello" }] }],
  ['{"role":"user","content":""}', { role: "user", content: [{ type: "text", text: "" }] }],
  ['{"v":0,"role":"system","content":[]}', { role: "system", content: [] }],
  [
    '{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"n","input":{}}]}',
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "n", input: {} }] },
  ],
])("reads version 0: %s", (text, message) => {
  expect(decodeMessage(text)).toEqual({ ok: true, value: message });
});

it("refuses a newer version with a hint", () => {
  expect(decodeMessage('{"v":2,"role":"user","content":[]}')).toMatchObject({
    ok: false,
    error: {
      code: "version_unknown",
      message: "The message has version 2; this build knows 1.",
      hint: "Update Rein: the message was written by a newer version.",
      place: { path: "v" },
    },
  });
});

it("keeps a block it does not know byte for byte", () => {
  const raw = '{ "b" : 1.50,"a":1e3 ,"type":"video","s":"\\u0041 ]}\\"", "deep":[{"x":[1,2]}, 12345678901234567890] }';
  const text = `{"v":1,"role":"user","content":[ {"type":"text","text":"a"} ,${raw}\n,{"type":"text","text":"b"}]}`;
  const message = unwrap(decodeMessage(text));
  expect(message.content).toEqual([
    { type: "text", text: "a" },
    { type: "unknown", raw },
    { type: "text", text: "b" },
  ]);
  expect(unwrap(encodeMessage(message))).toBe(
    `{"v":1,"role":"user","content":[{"type":"text","text":"a"},${raw},{"type":"text","text":"b"}]}`,
  );
});

it("keeps a result that holds a block it does not know whole", () => {
  const raw =
    '{"type":"tool_result","id":"t1","content":[{"type":"text","text":"a"},{"type":"video","n":1.0}],"isError":false}';
  expect(unwrap(decodeMessage(`{"v":1,"role":"tool","content":[${raw}]}`)).content).toEqual([{ type: "unknown", raw }]);
});

it("takes the content that counts when it stands there twice", () => {
  const text = '{"v":1,"content":[{"type":"old"}],"role":"user","\\u0063ontent":[{"type":"new","n":1.0}]}';
  expect(unwrap(decodeMessage(text)).content).toEqual([{ type: "unknown", raw: '{"type":"new","n":1.0}' }]);
});

it.each([
  ["", "The message is not valid JSON.", { offset: 0 }],
  ['{"v":1,}', "The message is not valid JSON.", { offset: 7 }],
  ['{"v":1,"role":"user","content":[', "The message is not valid JSON.", { offset: 32 }],
  ["[]", "The message is no object.", { path: "" }],
  ['{"v":"1","role":"user","content":[]}', "The message's v is no version.", { path: "v" }],
  ['{"v":1.5,"role":"user","content":[]}', "The message's v is no version.", { path: "v" }],
  ['{"v":1,"role":"boss","content":[]}', "The message's role is none of those known.", { path: "role" }],
  ['{"v":1,"role":"constructor","content":[]}', "The message's role is none of those known.", { path: "role" }],
  ['{"v":1,"role":"user"}', "The message's content is no list.", { path: "content" }],
  ['{"v":1,"role":"user","content":"hello"}', "The message's content is no list.", { path: "content" }],
  ['{"v":1,"role":"user","content":[],"x":1}', "The message's x is not part of version 1.", { path: "x" }],
  ['{"role":"user","content":[],"id":"m"}', "The message's id is not part of version 0.", { path: "id" }],
  ['{"v":1,"role":"user","content":[],"id":1}', "The message's id is no text.", { path: "id" }],
  ['{"v":1,"role":"user","content":[],"at":"1"}', "The message's at is no number.", { path: "at" }],
  ['{"v":1,"role":"user","content":[],"metadata":[]}', "The message's metadata is no object.", { path: "metadata" }],
  ['{"v":1,"role":"user","content":[7]}', "The message's content[0] is no object.", { path: "content[0]" }],
  [
    '{"v":1,"role":"user","content":[{}]}',
    "The message's content[0].type is not one of those known.",
    { path: "content[0].type" },
  ],
  [
    '{"v":1,"role":"user","content":[{"type":"text","text":"a"},{"type":"text"}]}',
    "The message's content[1].text is no text.",
    { path: "content[1].text" },
  ],
  [
    '{"v":1,"role":"user","content":[{"type":"text","text":"a","cache":true}]}',
    "The message's content[0].cache is not known to this version.",
    { path: "content[0].cache" },
  ],
  [
    '{"v":1,"role":"tool","content":[{"type":"tool_result","id":"t","isError":false,"content":[{"type":"image","mediaType":"a","source":{"kind":"blob","hash":"h"}}]}]}',
    "The message's content[0].content[0].source.size is no number.",
    { path: "content[0].content[0].source.size" },
  ],
])("says what is wrong and where: %s", (text, message, place) => {
  expect(decodeMessage(text)).toMatchObject({ ok: false, error: { code: "event_invalid", message, place } });
});

it.each(["{", "7", '{"a":"\ud800"}'])("refuses to write an unknown block that is no JSON object: %s", (raw) => {
  expect(
    encodeMessage({
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "unknown", raw },
      ],
    }),
  ).toMatchObject({
    ok: false,
    error: { code: "event_invalid", place: { path: "content[1].raw" } },
  });
});

const words = fc.string({ unit: "binary" });
const number = fc.double({ noDefaultInfinity: true, noNaN: true }).map((value) => value + 0);
const source = fc.oneof(
  fc.record({ kind: fc.constant("base64" as const), data: words }),
  fc.record({ kind: fc.constant("blob" as const), hash: words, size: number }),
  fc.record({ kind: fc.constant("url" as const), url: words }),
);
const object: fc.Arbitrary<JsonObject> = fc
  .dictionary(words, fc.jsonValue({ noUnicodeString: false }))
  .map((value) => JSON.parse(JSON.stringify(value)));
const text = fc.record({ type: fc.constant("text" as const), text: words });
const image = fc.record({ type: fc.constant("image" as const), mediaType: words, source });
const space = fc.constantFrom("", " ", "\n", "\t \r\n");
/** Blocks nobody knows, written in ways that printing would change. */
const unknown = fc
  .tuple(
    words,
    space,
    space,
    fc.constantFrom("1.0", "1e3", "-0", "12345678901234567890", '"\\u0041\\/"', '[[],{"a":"]}"}]'),
  )
  .map(([name, before, after, value]) => ({
    type: "unknown" as const,
    raw: `{${before}"x":${value}${after},${before}"type"${after}:"new ${JSON.stringify(name.toWellFormed()).slice(1, -1)}"}`,
  }));
const block: fc.Arbitrary<Block> = fc.oneof(
  text,
  image,
  unknown,
  fc.record(
    { type: fc.constant("thinking" as const), text: words, signature: words, vendor: words, redacted: fc.boolean() },
    { requiredKeys: ["type", "text"] },
  ),
  fc.record(
    { type: fc.constant("document" as const), mediaType: words, source, name: words },
    { requiredKeys: ["type", "mediaType", "source"] },
  ),
  fc.record(
    { type: fc.constant("tool_use" as const), id: words, name: words, input: object, malformed: words },
    { requiredKeys: ["type", "id", "name", "input"] },
  ),
  fc.record(
    {
      type: fc.constant("tool_result" as const),
      id: words,
      content: fc.array(fc.oneof(text, image)),
      isError: fc.boolean(),
      errorType: words,
    },
    { requiredKeys: ["type", "id", "content", "isError"] },
  ),
);
const anyMessage: fc.Arbitrary<Message> = fc.record(
  {
    role: fc.constantFrom("system", "developer", "user", "assistant", "tool"),
    content: fc.array(block),
    id: words,
    parentId: words,
    at: number,
    metadata: object,
  },
  { requiredKeys: ["role", "content"] },
);

it("gives every message back as it was", () => {
  fc.assert(
    fc.property(anyMessage, (message) => {
      const written = unwrap(encodeMessage(message));
      const read = unwrap(decodeMessage(written));
      expect(read).toEqual(message);
      expect(unwrap(encodeMessage(read))).toBe(written);
      expect(written.isWellFormed()).toBe(true);
    }),
  );
});

it("never throws, whatever it is given", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.jsonValue().map((v) => JSON.stringify({ v: 1, role: "user", content: v })),
      ),
      (given) => {
        decodeMessage(given);
      },
    ),
  );
});
