import { isJsonObject, type JsonObject, own } from "../../core/json.ts";
import { clip } from "../result/clip.ts";
import { issuePath, issueValue } from "./schema-check.ts";
import type { StandardIssue } from "./standard-schema.ts";

const MOST_ISSUES = 8;
const MOST_OF_A_VALUE = 120;

/** Says of each wrong argument: its name, what came, what is allowed. One line each, then the arguments there are. */
export function describeIssues(issues: readonly StandardIssue[], input: JsonObject, schema: JsonObject): string {
  const lines = issues.slice(0, MOST_ISSUES).map((issue) => {
    const value = issueValue(issue, input);
    const path = issuePath(issue);
    const got = path === "" ? "" : `got ${value === undefined ? "nothing" : shown(value)}; `;
    return `- ${path === "" ? "arguments" : path}: ${got}${allowed(issue)}`;
  });
  if (issues.length > MOST_ISSUES) lines.push(`- and ${issues.length - MOST_ISSUES} more`);
  const names = argumentNames(schema);
  if (names !== "") lines.push(`Its arguments: ${names}.`);
  return lines.join("\n");
}

/** A value as short JSON. */
export function shown(value: unknown): string {
  return clip(JSON.stringify(value) ?? String(value), MOST_OF_A_VALUE);
}

function allowed(issue: StandardIssue): string {
  // zod lists what each member of a union asks for under `errors`; its own message of a union says nothing.
  const alternatives = "errors" in issue && Array.isArray(issue.errors) ? issue.errors : [];
  const messages = alternatives.flat(1).flatMap((inner: unknown) => (isIssue(inner) ? [inner.message] : []));
  return messages.length === 0 ? issue.message : messages.slice(0, MOST_ISSUES).join(" or ");
}

function isIssue(value: unknown): value is StandardIssue {
  return isJsonObject(value) && typeof value.message === "string";
}

function argumentNames(schema: JsonObject): string {
  const properties = own(schema, "properties");
  const required = own(schema, "required");
  if (!isJsonObject(properties)) return "";
  return Object.keys(properties)
    .map((name) => (Array.isArray(required) && required.includes(name) ? `${name} (required)` : name))
    .join(", ");
}
