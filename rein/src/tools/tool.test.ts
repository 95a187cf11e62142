import { describe, expect, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../core/json.ts";
import { builtinTools } from "./builtin/index.ts";
import type { StandardSchema } from "./schema/standard-schema.ts";
import { type Tool, tool } from "./tool.ts";
import type { ToolDefinition } from "./tool-definition.ts";

const scope = { folder: "/project" };

function define(definition: Partial<ToolDefinition<{ readonly type: "object" }>> = {}): Tool {
  return tool({
    name: "mine",
    description: "Does something.",
    access: "public",
    input: { type: "object" },
    effects: () => [],
    run: () => "done",
    ...definition,
  });
}

async function factsOf(made: Tool, input: JsonObject = {}) {
  const prepared = await made.prepare(input);
  if (!prepared.ok) throw new Error(prepared.error.message);
  return prepared.value.facts(scope);
}

describe("types flow from the schema to the handler", () => {
  test("from a JSON Schema", () => {
    tool({
      name: "typed",
      description: "x",
      access: "public",
      input: {
        type: "object",
        properties: {
          text: { type: "string" },
          count: { type: "integer" },
          mode: { enum: ["a", "b"] },
          tags: { type: "array", items: { type: "string" } },
          inner: { type: "object", properties: { on: { type: "boolean" } }, required: ["on"] },
        },
        required: ["text", "mode"],
      },
      effects: () => [],
      run: (input) => {
        expectTypeOf(input.text).toEqualTypeOf<string>();
        expectTypeOf(input.mode).toEqualTypeOf<"a" | "b">();
        expectTypeOf(input.count).toEqualTypeOf<number | undefined>();
        expectTypeOf(input.tags).toEqualTypeOf<readonly string[] | undefined>();
        expectTypeOf(input.inner?.on).toEqualTypeOf<boolean | undefined>();
      },
    });
  });

  test("from a zod schema, its output", () => {
    tool({
      name: "typed",
      description: "x",
      access: "public",
      input: z.object({ text: z.string().default("none"), at: z.string().transform((text) => text.length) }),
      effects: () => [],
      run: (input) => expectTypeOf(input).toEqualTypeOf<{ text: string; at: number }>(),
    });
  });
});

describe("arguments", () => {
  const typed = tool({
    name: "typed",
    description: "x",
    access: "public",
    input: {
      type: "object",
      properties: {
        mode: { type: "string", enum: ["read", "write"] },
        level: { type: "integer", minimum: 1, maximum: 5 },
        target: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
      },
      required: ["mode"],
      additionalProperties: false,
    },
    effects: () => [],
    run: (input) => input,
  });

  test("what fits goes through", async () => {
    expect(await typed.prepare({ mode: "read", level: 5, target: ["a"] })).toMatchObject({ ok: true });
  });

  test("what does not fit is named, with what came and what is allowed", async () => {
    const prepared = await typed.prepare({ mode: "delete", level: 9, target: 3, bogus: true });
    expect(prepared).toMatchObject({ ok: false, error: { code: "tool_arguments_invalid" } });
    expect(prepared.ok ? "" : prepared.error.message).toBe(`The arguments do not fit:
- mode: got "delete"; Invalid option: expected one of "read"|"write"
- level: got 9; Too big: expected number to be <=5
- target: got 3; Invalid input: expected string, received number or Invalid input: expected array, received number
- arguments: Unrecognized key: "bogus"
Its arguments: mode (required), level, target.`);
  });

  test("nothing at all", async () => {
    const prepared = await typed.prepare({});
    expect(prepared.ok ? "" : prepared.error.message).toContain("- mode: got nothing; Invalid option");
  });

  test("a long value is not quoted whole", async () => {
    const prepared = await typed.prepare({ mode: "x".repeat(1_000_000) });
    expect(prepared.ok ? 0 : prepared.error.message.length).toBeLessThan(400);
  });

  test("the second check of a JSON Schema is over at once", async () => {
    await typed.prepare({ mode: "read" });
    expect(typed.prepare({ mode: "read" })).not.toBeInstanceOf(Promise);
  });

  test("zod: checked by the user's own schema, which writes its own JSON Schema", async () => {
    const made = tool({
      name: "typed",
      description: "x",
      access: "public",
      input: z.object({ text: z.string().min(2), at: z.iso.date().optional() }),
      effects: () => [],
      run: ({ text }) => text,
    });
    expect(made.inputSchema).toMatchObject({
      type: "object",
      properties: { text: { type: "string", minLength: 2 } },
      required: ["text"],
    });
    expect(made.inputSchema).not.toHaveProperty("$schema");
    expect(made.prepare({ text: "ab" })).toMatchObject({ ok: true });
    expect(await made.prepare({ text: "a" })).toMatchObject({ ok: false, error: { code: "tool_arguments_invalid" } });
  });

  test("any other Standard Schema, with its JSON Schema beside it", async () => {
    const input: StandardSchema<{ readonly n: number }> = {
      "~standard": {
        version: 1,
        vendor: "own",
        validate: async (value) =>
          typeof value === "object" && value !== null && "n" in value && typeof value.n === "number"
            ? { value: { n: value.n } }
            : { issues: [{ message: "must be a number", path: [{ key: "n" }] }] },
      },
    };
    const definition = { name: "own", description: "x", access: "public", effects: () => [], run: () => "" } as const;
    expect(() => tool({ ...definition, input })).toThrow(/inputJsonSchema/);
    const inputJsonSchema = { type: "object", properties: { n: { type: "number" } } };
    const made = tool({ ...definition, input, inputJsonSchema });
    expect(await made.prepare({ n: 1 })).toMatchObject({ ok: true });
    const wrong = await made.prepare({ n: "1" });
    expect(wrong.ok ? "" : wrong.error.message).toContain('- n: got "1"; must be a number');
  });

  test("a schema that cannot be used is a fault of the tool, not an exception", async () => {
    const input = { type: "object", properties: { a: { $ref: "https://elsewhere/x" } } } as const;
    const made = tool({ name: "a", description: "b", access: "public", input, effects: () => [], run: () => "" });
    expect(await made.prepare({ a: 1 })).toMatchObject({ ok: false, error: { code: "tool_failed" } });
  });
});

describe("facts", () => {
  test("defaults: not read-only, never run again, touches everything, two minutes", async () => {
    expect(await factsOf(define())).toEqual({
      ok: true,
      value: {
        effects: [],
        readOnly: false,
        recover: "never",
        accesses: [{ resource: "*", write: true }],
        timeout: 120_000,
      },
    });
  });

  test("read-only: run again, and conflicts only with what writes", async () => {
    expect(await factsOf(define({ readOnly: () => true }))).toMatchObject({
      value: { readOnly: true, recover: "rerun", accesses: [{ resource: "*", write: false }] },
    });
  });

  test("paths are resolved against the workspace, accesses follow from the effects", async () => {
    const made = define({
      readOnly: () => true,
      effects: () => [
        { kind: "read", path: "a/../b" },
        { kind: "read-tree", path: "/etc" },
        { kind: "write", path: "out" },
        { kind: "state", what: "notes" },
      ],
    });
    expect(await factsOf(made)).toEqual({
      ok: true,
      value: {
        effects: [
          { kind: "read", path: "/project/b" },
          { kind: "read-tree", path: "/etc" },
          { kind: "write", path: "/project/out" },
          { kind: "state", what: "notes" },
        ],
        readOnly: false,
        recover: "never",
        accesses: [
          { resource: "path:/project/b", write: false },
          { resource: "path:/etc", write: false },
          { resource: "path:/project/out", write: true },
          { resource: "state:notes", write: true },
        ],
        timeout: 120_000,
      },
    });
  });

  test("commands and connections touch everything", async () => {
    for (const effect of [
      { kind: "execute", command: "ls", cwd: "." },
      { kind: "execute-argv", argv: ["ls"], cwd: "." },
      { kind: "connect", host: "localhost", port: 80 },
    ] as const) {
      const made = define({ effects: () => [effect], readOnly: () => true });
      expect(await factsOf(made)).toMatchObject({
        value: { readOnly: false, accesses: [{ resource: "*", write: true }] },
      });
    }
  });

  test("a predicate that throws means the careful answer", async () => {
    const boom = (): never => {
      throw new Error("boom");
    };
    const ownAsk = "a check of `mine` failed: boom";
    expect(await factsOf(define({ readOnly: boom }))).toMatchObject({
      value: { readOnly: false, recover: "never", ownAsk },
    });
    expect(await factsOf(define({ destructive: boom }))).toMatchObject({ value: { ownAsk } });
    expect(await factsOf(define({ ask: boom }))).toMatchObject({ value: { ownAsk } });
    expect(await factsOf(define({ accesses: boom }))).toMatchObject({
      value: { ownAsk, accesses: [{ resource: "*", write: true }] },
    });
    expect(await factsOf(define({ timeout: () => Number.NaN }))).toMatchObject({
      value: { timeout: 120_000, ownAsk: "a check of `mine` failed: its time-out is NaN" },
    });
    expect(await factsOf(define({ effects: boom }))).toMatchObject({ ok: false, error: { code: "tool_failed" } });
  });

  test("destructive calls and the tool's own check ask", async () => {
    expect(await factsOf(define({ destructive: () => true }))).toMatchObject({
      value: { ownAsk: "`mine` says that this call destroys something." },
    });
    expect(await factsOf(define({ ask: () => "costs money" }))).toMatchObject({ value: { ownAsk: "costs money" } });
  });
});

describe("a definition that cannot work is refused", () => {
  test.each<[string, Parameters<typeof define>[0], RegExp]>([
    ["name with a blank", { name: "a b" }, /its name is not allowed/],
    ["empty name", { name: "" }, /its name is not allowed/],
    ["name too long", { name: "x".repeat(65) }, /its name is not allowed/],
    ["no description", { description: " " }, /no description/],
    ["reconcile without the function", { recover: "reconcile" }, /`reconcile`, which is missing/],
    ["time-out of 0", { timeout: 0 }, /time-out is not above 0/],
    ["tiny limit", { limit: 10 }, /limit is below/],
  ])("%s", (_, definition, message) => {
    expect(() => define(definition)).toThrow(message);
  });

  test("without an access level, effects or a handler, as JavaScript may give it", () => {
    const whole = {
      name: "a",
      description: "b",
      access: "public",
      input: { type: "object" },
      effects: () => [],
      run: () => "",
    };
    for (const lacking of [{ access: undefined }, { effects: undefined }, { run: undefined }]) {
      expect(() => Reflect.apply(tool, undefined, [{ ...whole, ...lacking }])).toThrow(/Tool `a`: it/);
    }
  });

  test("arguments that are no object", () => {
    const definition = { name: "a", description: "b", access: "public", effects: () => [], run: () => "" } as const;
    expect(() => tool({ ...definition, input: z.string() })).toThrow(/does not describe an object/);
    expect(() => tool({ ...definition, input: z.object({ at: z.date() }) })).toThrow(/Date cannot be represented/);
  });
});

test("names and access levels of the built-in tools", () => {
  expect(builtinTools.map(({ name, access }) => `${name} ${access}`)).toEqual([
    "shell admin",
    "read public",
    "write trusted",
    "list public",
    "search public",
  ]);
});
