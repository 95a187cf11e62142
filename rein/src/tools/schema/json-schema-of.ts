import { fail, ok, type Result, textOfThrown } from "../../core/errors.ts";
import { isJsonObject, type JsonObject, parseJson } from "../../core/json.ts";
import type { SchemaSource } from "./input-of.ts";
import { isStandardSchema } from "./standard-schema.ts";

/**
 * The JSON Schema that the model is shown: the one given beside, the plain one itself, or what the library writes.
 * `invalid_option` when there is none, or when it does not describe an object.
 */
export function jsonSchemaOf(schema: SchemaSource, beside: JsonObject | undefined): Result<JsonObject> {
  const found = beside === undefined ? written(schema) : ok(beside);
  if (!found.ok) return found;
  const { $schema: _, ...rest } = found.value;
  if (rest.type !== "object") {
    return fail(
      "invalid_option",
      "The schema of a tool's arguments does not describe an object.",
      'Put the arguments into an object: { type: "object", properties: … } or z.object({ … }).',
    );
  }
  return ok(rest);
}

function written(schema: SchemaSource): Result<JsonObject> {
  if (!isStandardSchema(schema)) return isJsonObject(schema) ? ok(schema) : none("It is no schema.");
  const { jsonSchema, vendor } = schema["~standard"];
  if (jsonSchema === undefined) return none(`The ${vendor} schema does not write its own JSON Schema.`);
  try {
    // Through text, since a library may put undefined, functions or getters into what it writes.
    const parsed = parseJson(JSON.stringify(jsonSchema.input({ target: "draft-2020-12" })), "The JSON Schema");
    if (!parsed.ok) return parsed;
    return isJsonObject(parsed.value) ? ok(parsed.value) : none("It is not an object.");
  } catch (thrown) {
    return none(textOfThrown(thrown), thrown);
  }
}

function none(why: string, cause?: unknown): Result<never> {
  return fail(
    "invalid_option",
    `A tool's arguments have no JSON Schema: ${why}`,
    "Give it beside the schema as `inputJsonSchema` (zod: z.toJSONSchema(schema)), or use a newer version of the library.",
    { cause },
  );
}
