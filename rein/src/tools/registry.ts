import { fail, ok, type Result } from "../core/errors.ts";
import type { ToolSchema } from "../core/ports.ts";
import type { Tool } from "./tool.ts";
import { ACCESS_LEVELS, type AccessLevel } from "./tool-definition.ts";

/** The tools of an agent. */
export interface Registry {
  /** As the model is shown them, in their fixed order, frozen. */
  readonly schemas: readonly ToolSchema[];
  readonly find: (name: string) => Tool | undefined;
}

/** What a registry is made of. */
export interface RegistryOptions {
  /** Built-in tools; they come first, in this order. */
  readonly builtin: readonly Tool[];
  /** The embedder's own; they come next, sorted by name. */
  readonly own: readonly Tool[];
  /** Tools above this access level are not offered. */
  readonly role: AccessLevel;
}

/**
 * Makes the registry. The order depends on nothing but the names, so two starts give the same bytes and the prompt's
 * prefix holds. `invalid_option` when two tools have one name.
 */
export function createRegistry({ builtin, own, role }: RegistryOptions): Result<Registry> {
  const sorted = own.toSorted((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
  const rank = ACCESS_LEVELS.indexOf(role);
  const seen = new Set<string>();
  const byName = new Map<string, Tool>();
  for (const tool of [...builtin, ...sorted]) {
    if (seen.has(tool.name)) {
      return fail(
        "invalid_option",
        `Two tools are called \`${tool.name}\`.`,
        "Rename yours, or leave the built-in one out with `builtin`.",
      );
    }
    seen.add(tool.name);
    if (ACCESS_LEVELS.indexOf(tool.access) <= rank) byName.set(tool.name, tool);
  }
  const schemas = [...byName.values()].map((tool) =>
    Object.freeze({ name: tool.name, description: tool.description, input: tool.inputSchema }),
  );
  return ok({ schemas: Object.freeze(schemas), find: (name) => byName.get(name) });
}
