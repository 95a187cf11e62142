import { hash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ResultContent } from "../../core/session/index.ts";
import { createRedact } from "../../guard/index.ts";
import { limitText } from "./limit-text.ts";
import { type ProcessedResult, processResult, type RawResult, type ResultScope } from "./process-result.ts";
import { toolFailure } from "./tool-failure.ts";

const KIB = 1024;

function processed(raw: RawResult, scope: Partial<ResultScope> = {}): ProcessedResult {
  return processResult(raw, {
    tool: "mine",
    session: "s1",
    redact: createRedact({ env: {} }),
    limits: { inline: 32 * KIB, hard: 1024 * KIB },
    ...scope,
  });
}

const text = (value: string): ResultContent => [{ type: "text", text: value }];

function textOf({ content }: ProcessedResult): string {
  return content.map((block) => (block.type === "text" ? block.text : `<${block.type}>`)).join("\n");
}

describe("what a handler returned", () => {
  test("text, blocks and JSON", () => {
    expect(processed({ value: "hello" })).toEqual({ outcome: "ok", content: text("hello") });
    expect(processed({ value: text("block") })).toEqual({ outcome: "ok", content: text("block") });
    expect(processed({ value: { a: [1, null] } })).toEqual({ outcome: "ok", content: text('{"a":[1,null]}') });
    expect(processed({ value: [] })).toEqual({ outcome: "ok", content: text("[]") });
    expect(processed({ value: [{ type: "text" }] })).toEqual({ outcome: "ok", content: text('[{"type":"text"}]') });
    expect(processed({ value: 0 })).toEqual({ outcome: "ok", content: text("0") });
  });

  test("nothing is said to be nothing, since no provider takes an empty text", () => {
    for (const value of [undefined, null, "", [{ type: "text", text: "" }]]) {
      expect(processed({ value })).toEqual({ outcome: "ok", content: text("(mine returned nothing)") });
    }
  });

  test("a failure names tool, type, message and what to try, with what there is all the same", () => {
    const value = toolFailure({ type: "not_found", message: "No note 3.", hint: "List the notes." }, "so far: 2");
    expect(processed({ value })).toEqual({
      outcome: "error",
      errorType: "not_found",
      content: [
        { type: "text", text: "mine failed (not_found): No note 3.\nWhat to try: List the notes." },
        { type: "text", text: "so far: 2" },
      ],
    });
  });

  test("what JSON cannot hold is a fault of the tool", () => {
    const cyclic: { self?: unknown } = {};
    cyclic.self = cyclic;
    const hostile = { toJSON: () => BigInt(1) };
    const throwing = {
      get a() {
        throw new Error("no");
      },
    };
    for (const value of [
      cyclic,
      hostile,
      throwing,
      1n,
      () => 1,
      Symbol("x"),
      new Map(),
      new Uint8Array(3),
      { toJSON: () => undefined },
    ]) {
      const result = processed({ value });
      expect(result).toMatchObject({ outcome: "error", errorType: "tool_failed" });
      expect(textOf(result)).toMatch(
        /^mine failed \(tool_failed\): It returned .*\nWhat to try: This is a fault of the tool/,
      );
    }
  });
});

describe("pictures", () => {
  const image = (data: string, mediaType = "image/png") =>
    ({ type: "image", mediaType, source: { kind: "base64", data } }) as const;

  test("stay as they are", () => {
    const content = [...text("look"), image("iVBORw0KGgo=")];
    expect(processed({ value: content })).toEqual({ outcome: "ok", content });
  });

  test("an empty one is an error of the tool, never a block (C-070)", () => {
    const result = processed({ value: [...text("look"), image("")] });
    expect(result).toMatchObject({ outcome: "error", errorType: "tool_failed" });
    expect(textOf(result)).toBe(
      "mine failed (tool_failed): It returned an image (image/png) of 0 bytes.\nWhat to try: Use another file, or a smaller one.\nlook",
    );
  });

  test("one that providers would refuse is an error", () => {
    for (const block of [
      image("####"),
      image("abc"),
      image("aaaa", "text/plain"),
      image("a".repeat(5 * KIB * KIB + 4)),
    ]) {
      expect(processed({ value: [block] })).toMatchObject({ outcome: "error", errorType: "tool_failed" });
    }
  });

  test("stay beside a text that is cut", () => {
    const result = processed({ value: [...text("x".repeat(100 * KIB)), image("iVBORw0KGgo=")] });
    expect(result.content.map(({ type }) => type)).toEqual(["text", "image"]);
  });
});

describe("text from outside (C-072)", () => {
  test("NUL and lone surrogates are replaced, and it says so once", () => {
    expect(processed({ value: [...text("a\0b\0"), ...text("\ud800 \u{1f600}")] })).toEqual({
      outcome: "ok",
      content: [
        { type: "text", text: "a\u2400b\u2400" },
        { type: "text", text: "\ufffd \u{1f600}" },
        {
          type: "text",
          text: "[Not valid text as it came: 2 NUL shown as \u2400, 1 lone surrogate replaced by \ufffd.]",
        },
      ],
    });
  });

  test("text of any kind comes out fit for every provider", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
        // A half of a pair at the end of one and the other half at the beginning of the next.
        const halves = `${one}\ud83d`;
        const result = textOf(processed({ value: [...text(halves), ...text(`\ude00${other}`)] }));
        expect(result.isWellFormed()).toBe(true);
        expect(result.includes("\0")).toBe(false);
      }),
    );
  });
});

describe("secrets", () => {
  const redact = createRedact({ env: {}, extra: { TOKEN: "hunter2hunter2" } });

  test("are taken out of results and failures", () => {
    expect(textOf(processed({ value: "key=hunter2hunter2" }, { redact }))).toBe("key=[secret:TOKEN]");
    const failure = { type: "tool_failed", message: "Error: bad key hunter2hunter2", hint: "h" };
    expect(textOf(processed({ value: undefined, failure }, { redact }))).not.toContain("hunter2");
  });

  test("a cut cannot part one: it is taken out before", () => {
    const value = `${"x".repeat(KIB - 7)}hunter2hunter2${"y".repeat(10 * KIB)}`;
    const result = processed({ value }, { redact, limits: { inline: 4 * KIB, hard: 8 * KIB } });
    expect(textOf(result)).not.toContain("hunter2");
    expect(Buffer.from(result.blob?.bytes ?? []).toString()).not.toContain("hunter2");
  });
});

describe("length", () => {
  test("up to the limit nothing is cut", () => {
    expect(processed({ value: "x".repeat(32 * KIB) })).toEqual({ outcome: "ok", content: text("x".repeat(32 * KIB)) });
  });

  test("beyond it: head, note, tail, and the whole as a blob", () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `line ${index + 1}`).join("\n");
    const result = processed({ value: lines });
    const digest = hash("sha256", lines, "hex");
    expect(result.originalBytes).toBe(98_893);
    expect(result.blob?.hash).toBe(digest);
    expect(Buffer.from(result.blob?.bytes ?? []).toString()).toBe(lines);
    const shown = textOf(result);
    expect(shown.startsWith("line 1\nline 2\n")).toBe(true);
    expect(shown.endsWith("line 9999\nline 10000")).toBe(true);
    expect(shown).toContain("[The result has 98893 bytes; 82514 of them are left out here.");
    expect(shown).toContain(
      `The whole is kept as blob ${digest}; a person reads it with: rein show s1 --blob ${digest}]`,
    );
    expect(Buffer.byteLength(shown)).toBeLessThan(17 * KIB);
  });

  test("a failure's text stays at the head of a long partial output", () => {
    const result = processed({
      value: "x".repeat(50_000),
      failure: { type: "tool_timeout", message: "Too long.", hint: "Less." },
    });
    expect(result).toMatchObject({ outcome: "error", errorType: "tool_timeout" });
    expect(textOf(result).startsWith("mine failed (tool_timeout): Too long.\nWhat to try: Less.\n")).toBe(true);
  });

  test("50 MB: the original size is named, at most 1 MiB is kept, head and tail", () => {
    const value = `first${"é".repeat(25 * KIB * KIB)}last`;
    const result = processed({ value });
    expect(result.originalBytes).toBe(50 * KIB * KIB + 9);
    expect(result.blob?.bytes.length).toBeLessThanOrEqual(KIB * KIB);
    expect(result.blob?.bytes.length).toBeGreaterThan(KIB * KIB - 100);
    const kept = Buffer.from(result.blob?.bytes ?? []).toString();
    expect(kept.startsWith("firsté")).toBe(true);
    expect(kept.endsWith("élast")).toBe(true);
    expect(kept).toContain("[cut here: the original has 52428809 bytes]");
    expect(textOf(result)).toContain("The first and last 1048576 bytes together are kept as");
  });

  test("whatever the text: nothing longer than its limits, no character parted, head and tail are the text's", () => {
    const limits = { inline: 256, hard: 600 };
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 2_000, size: "max" }), (whole) => {
        const limited = limitText(whole, limits, "s");
        if (Buffer.byteLength(whole) <= limits.inline) {
          expect(limited).toBeUndefined();
          return;
        }
        expect(limited?.originalBytes).toBe(Buffer.byteLength(whole));
        expect(limited?.text.isWellFormed()).toBe(true);
        if (!whole.includes("\ufffd")) expect(limited?.text).not.toContain("\ufffd");
        expect(limited?.blob.bytes.length).toBeLessThanOrEqual(limits.hard);
        expect(limited?.blob.hash).toBe(hash("sha256", limited?.blob.bytes ?? "", "hex"));
        const [head = "?", tail = "?"] = limited?.text.split(/\n\n\[The result has .*\]\n\n/) ?? [];
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(Buffer.byteLength(head) + Buffer.byteLength(tail)).toBeLessThanOrEqual(limits.inline / 2);
      }),
    );
  });
});
