import type { JsonObject, JsonValue } from "../../core/json.ts";
import type { StandardSchema } from "./standard-schema.ts";

/** What describes a tool's arguments or output: a Standard Schema (zod 4 and others) or a plain JSON Schema object. */
export type SchemaSource = StandardSchema | JsonObject;

/**
 * The type of a value that fits a schema. Of a JSON Schema it reads `type`, `properties`, `required`, `items`, `enum` and
 * `const`; what it does not read is a `JsonValue`.
 */
export type InputOf<Schema> =
  Schema extends StandardSchema<infer Output>
    ? Output
    : Schema extends ObjectSchema
      ? FromJsonSchema<Schema>
      : JsonObject;

interface ObjectSchema {
  readonly type: "object";
  readonly properties: object;
}

type FromJsonSchema<Schema> = Schema extends { readonly const: infer Value }
  ? Value
  : Schema extends { readonly enum: readonly (infer Value)[] }
    ? Value
    : Schema extends { readonly type: "string" }
      ? string
      : Schema extends { readonly type: "number" | "integer" }
        ? number
        : Schema extends { readonly type: "boolean" }
          ? boolean
          : Schema extends { readonly type: "array"; readonly items: infer Items }
            ? readonly FromJsonSchema<Items>[]
            : Schema extends { readonly type: "object"; readonly properties: infer Properties }
              ? Members<Properties, Required<Schema>>
              : JsonValue;

type Required<Schema> = Schema extends { readonly required: readonly (infer Name)[] } ? Name : never;

type Members<Properties, Names> = {
  readonly [Name in keyof Properties as Name extends Names ? Name : never]: FromJsonSchema<Properties[Name]>;
} & {
  readonly [Name in keyof Properties as Name extends Names ? never : Name]?: FromJsonSchema<Properties[Name]>;
};
