import { describe, expect, test } from "vitest";
import { builtinTools } from "./builtin/index.ts";
import { createRegistry } from "./registry.ts";
import { type Tool, tool } from "./tool.ts";
import type { AccessLevel } from "./tool-definition.ts";

const own = (name: string, access: AccessLevel = "public"): Tool =>
  tool({
    name,
    description: `Does ${name}.`,
    access,
    input: { type: "object", properties: {} },
    effects: () => [],
    run: () => name,
  });

function schemasOf(tools: readonly Tool[], role: AccessLevel = "system") {
  const registry = createRegistry({ builtin: builtinTools, own: tools, role });
  if (!registry.ok) throw new Error(registry.error.message);
  return registry.value.schemas;
}

describe("createRegistry", () => {
  test("built-in tools first, then own ones by name, however they came (C-062)", () => {
    const one = schemasOf([own("zeta"), own("Alpha"), own("beta")]);
    const other = schemasOf([own("beta"), own("zeta"), own("Alpha")]);
    expect(one.map(({ name }) => name)).toEqual(["shell", "read", "write", "list", "search", "Alpha", "beta", "zeta"]);
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  test("two tools of one name are refused, a built-in one too", () => {
    for (const tools of [[own("a"), own("a")], [own("read")], [own("a", "system"), own("a")]]) {
      const registry = createRegistry({ builtin: builtinTools, own: tools, role: "public" });
      expect(registry).toMatchObject({ ok: false, error: { code: "invalid_option" } });
    }
  });

  test("tools above the role are not offered and not found", () => {
    const registry = createRegistry({ builtin: builtinTools, own: [own("mine", "trusted")], role: "public" });
    if (!registry.ok) throw new Error(registry.error.message);
    expect(registry.value.schemas.map(({ name }) => name)).toEqual(["read", "list", "search"]);
    expect(registry.value.find("shell")).toBeUndefined();
  });

  test("names of the prototype are no tools", () => {
    const registry = createRegistry({ builtin: builtinTools, own: [], role: "system" });
    if (!registry.ok) throw new Error(registry.error.message);
    for (const name of ["__proto__", "constructor", "toString"]) expect(registry.value.find(name)).toBeUndefined();
  });

  test("the list cannot be changed", () => {
    const schemas = schemasOf([]);
    expect(Object.isFrozen(schemas)).toBe(true);
    expect(schemas.every((schema) => Object.isFrozen(schema))).toBe(true);
  });
});
