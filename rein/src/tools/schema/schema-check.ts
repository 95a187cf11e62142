import type { JsonObject } from "../../core/json.ts";
import { after, type Maybe } from "../maybe.ts";
import type { InputOf, SchemaSource } from "./input-of.ts";
import { isStandardSchema, type StandardIssue, type StandardResult, type StandardSchema } from "./standard-schema.ts";

/** Validates a value: its typed form, or what is wrong with it. At once where the schema is loaded and checks at once. */
export type SchemaCheck<Value> = (value: unknown) => Maybe<StandardResult<Value>>;

/**
 * Makes the check of a schema. A Standard Schema checks itself. A plain JSON Schema is turned into a zod schema when it is
 * first needed, so that no schema library is loaded before; one that zod cannot read rejects with zod's reason.
 */
export function schemaCheck<Schema extends SchemaSource>(schema: Schema): SchemaCheck<InputOf<Schema>> {
  let loaded: StandardSchema | undefined = isStandardSchema(schema) ? schema : undefined;
  const load = async (): Promise<StandardSchema> => {
    loaded ??= await fromJsonSchema(schema);
    return loaded;
  };
  return (value) =>
    after(loaded ?? load(), ({ "~standard": standard }) =>
      after(standard.validate(value), (result) =>
        result.issues === undefined ? { value: typed<Schema>(result.value) } : { issues: result.issues },
      ),
    );
}

async function fromJsonSchema(schema: SchemaSource): Promise<StandardSchema> {
  const { fromJSONSchema } = await import("./from-json-schema.ts");
  return fromJSONSchema({ ...schema });
}

function typed<Schema>(value: unknown): InputOf<Schema> {
  // The schema has just said that the value is one of its own; this is the one place that believes it.
  return value as InputOf<Schema>;
}

/** Path of an issue as a person writes it: `items[2].name`; empty for the whole. */
export function issuePath(issue: StandardIssue): string {
  let path = "";
  for (const step of issue.path ?? []) {
    const key = typeof step === "object" ? step.key : step;
    path += typeof key === "number" ? `[${key}]` : path === "" ? String(key) : `.${String(key)}`;
  }
  return path;
}

/** The value an issue is about. */
export function issueValue(issue: StandardIssue, input: JsonObject): unknown {
  let value: unknown = input;
  for (const step of issue.path ?? []) {
    const key = typeof step === "object" ? step.key : step;
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
