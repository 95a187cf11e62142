export { loadTools } from "./load-tools.ts";
export type { ToolLimits, ToolsOptions } from "./pipeline.ts";
export { type ToolFailure, toolFailure } from "./result/tool-failure.ts";
export type { InputOf, SchemaSource } from "./schema/input-of.ts";
export type { StandardIssue, StandardResult, StandardSchema } from "./schema/standard-schema.ts";
export { type Tool, tool } from "./tool.ts";
export type { CommandOptions, ToolContext, ToolHands } from "./tool-context.ts";
export {
  ACCESS_LEVELS,
  type AccessLevel,
  type CallScope,
  type ToolAbout,
  type ToolDefinition,
} from "./tool-definition.ts";
