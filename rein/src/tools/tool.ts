import { fail, ok, type Result, reinError, textOfThrown, unwrap } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import { type CallFacts, callFacts } from "./call-facts.ts";
import { after, type Maybe, settled } from "./maybe.ts";
import { toolFailure } from "./result/tool-failure.ts";
import { describeIssues } from "./schema/describe-issues.ts";
import type { InputOf, SchemaSource } from "./schema/input-of.ts";
import { jsonSchemaOf } from "./schema/json-schema-of.ts";
import { issuePath, type SchemaCheck, schemaCheck } from "./schema/schema-check.ts";
import type { ToolContext } from "./tool-context.ts";
import {
  ACCESS_LEVELS,
  type AccessLevel,
  type CallScope,
  type ToolAbout,
  type ToolDefinition,
} from "./tool-definition.ts";

/** A call whose arguments fit, ready to be judged and run. */
export interface PreparedCall {
  /** What the call will do and touch; `tool_failed` when the tool cannot say. */
  readonly facts: (scope: CallScope) => Result<CallFacts>;
  readonly run: (context: ToolContext) => Promise<unknown>;
  readonly reconcile: (context: ToolContext) => Promise<unknown>;
}

/** A tool, its types hidden. Make one with {@link tool}. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, as the model is shown it. */
  readonly inputSchema: JsonObject;
  readonly access: AccessLevel;
  readonly limit: number | undefined;
  readonly about: ToolAbout;
  /** Validates arguments; `tool_arguments_invalid` says of each wrong one what came and what is allowed. */
  readonly prepare: (input: JsonObject) => Maybe<Result<PreparedCall>>;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Defines a tool (R6.1): checks the definition and hides the types of its arguments, so that tools of all kinds stand in
 * one array; what is validated, asked and run stays typed from the schema to the handler. Throws `invalid_option` when the
 * definition cannot work.
 *
 * @example
 * const save = tool({
 *   name: "save_note",
 *   description: "Keeps a note.",
 *   access: "public",
 *   input: z.object({ text: z.string() }),
 *   effects: () => [{ kind: "state", what: "notes" }],
 *   run: ({ text }) => { notes.push(text); return "Kept."; },
 * });
 */
export function tool<const Schema extends SchemaSource, Output = unknown>(
  definition: ToolDefinition<Schema, Output>,
): Tool {
  unwrap(checkDefinition(definition));
  const inputSchema = unwrap(jsonSchemaOf(definition.input, definition.inputJsonSchema));
  const checkInput = schemaCheck(definition.input);
  const checkOutput = definition.output === undefined ? undefined : schemaCheck(definition.output);
  return Object.freeze({
    name: definition.name,
    description: definition.description,
    inputSchema,
    access: definition.access,
    limit: definition.limit,
    about: definition.about ?? {},
    prepare: (input: JsonObject) => prepare(definition, inputSchema, checkInput, checkOutput, input),
  });
}

function prepare<Schema extends SchemaSource, Output>(
  definition: ToolDefinition<Schema, Output>,
  inputSchema: JsonObject,
  checkInput: SchemaCheck<InputOf<Schema>>,
  checkOutput: SchemaCheck<unknown> | undefined,
  given: JsonObject,
): Maybe<Result<PreparedCall>> {
  return after(
    settled(() => checkInput(given)),
    (checked): Result<PreparedCall> => {
      if (!checked.ok) {
        const message = `The schema of \`${definition.name}\` cannot be used: ${textOfThrown(checked.thrown)}`;
        return fail("tool_failed", message, "This is a fault of the tool. Use another one.");
      }
      if (checked.value.issues !== undefined) {
        const why = describeIssues(checked.value.issues, given, inputSchema);
        return fail(
          "tool_arguments_invalid",
          `The arguments do not fit:\n${why}`,
          "Call it again with arguments that fit.",
        );
      }
      const input = checked.value.value;
      return ok({
        facts: (scope) => callFacts(definition, input, scope),
        run: async (context) => outputOf(await definition.run(input, context), checkOutput),
        reconcile: async (context) => definition.reconcile?.(input, context),
      });
    },
  );
}

async function outputOf(value: unknown, check: SchemaCheck<unknown> | undefined): Promise<unknown> {
  if (check === undefined) return value;
  const checked = await check(value);
  if (checked.issues === undefined) return checked.value;
  const [issue] = checked.issues;
  const where = issue === undefined ? "" : `${issuePath(issue)}: ${issue.message}`;
  return toolFailure({
    type: "tool_failed",
    message: `It returned something else than it says it returns. ${where}`,
    hint: "This is a fault of the tool; the call itself may have taken effect. Check before you call it again.",
  });
}

function checkDefinition<Schema extends SchemaSource, Output>(
  definition: ToolDefinition<Schema, Output>,
): Result<void> {
  const { name, description, access, effects, run, recover, reconcile, timeout, limit } = definition;
  const wrong = (message: string, hint: string): Result<void> => ({
    ok: false,
    error: reinError("invalid_option", `Tool \`${name}\`: ${message}`, hint),
  });
  if (!NAME.test(name)) return wrong("its name is not allowed.", "Use 1 to 64 of a–z, A–Z, 0–9, _ and -.");
  if (typeof description !== "string" || description.trim() === "") {
    return wrong("it has no description.", "Say what it does: the model chooses tools by it.");
  }
  if (!ACCESS_LEVELS.includes(access)) {
    return wrong("it names no access level.", `Give \`access\`: one of ${ACCESS_LEVELS.join(", ")}.`);
  }
  if (typeof effects !== "function") {
    return wrong(
      "it does not say what it does to the world.",
      "Give `effects`; `() => []` when it changes nothing outside the session.",
    );
  }
  if (typeof run !== "function") return wrong("it has no `run`.", "Give the function that does the work.");
  if (recover === "reconcile" && reconcile === undefined) {
    return wrong("it recovers by `reconcile`, which is missing.", "Give `reconcile`, or another `recover`.");
  }
  if (typeof timeout === "number" && !(timeout > 0)) return wrong("its time-out is not above 0.", "Give milliseconds.");
  if (limit !== undefined && !(limit >= 1024)) return wrong("its limit is below 1,024.", "Give bytes, 1,024 or more.");
  return ok(undefined);
}
