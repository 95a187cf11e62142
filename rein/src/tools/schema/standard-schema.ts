/**
 * The part of Standard Schema v1 that Rein reads, as types: zod, valibot, arktype and others carry it on their schemas.
 * Source: https://standardschema.dev, and its JSON Schema extension for `jsonSchema`.
 */

/** What a schema found wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema makes of a value. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** Any schema of a library that follows Standard Schema v1. */
export interface StandardSchema<Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
    /** Writes the schema as JSON Schema; may throw when it cannot. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: "draft-2020-12" }) => object } | undefined;
  };
}

/** Whether a value is a Standard Schema. Some libraries make their schemas functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== "object" && typeof value !== "function")) return false;
  if (!("~standard" in value)) return false;
  const standard = value["~standard"];
  return (
    typeof standard === "object" &&
    standard !== null &&
    "validate" in standard &&
    typeof standard.validate === "function"
  );
}
