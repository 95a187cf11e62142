import type { CallEffect, CallJudgement } from "../core/session/index.ts";

type Accesses = CallJudgement["accesses"];

const PATH = "path:";

/**
 * Accesses with the real paths that the gate found for the call's effects: two names of one file are one resource. A path
 * that stands for no effect, or lies below none, stays as it is. `reals`: one for each effect, see `Verdict`.
 */
export function realAccesses(
  accesses: Accesses,
  effects: readonly CallEffect[],
  reals: readonly (string | null)[] | undefined,
): Accesses {
  if (reals === undefined) return accesses;
  const moved = new Map<string, string>();
  for (const [index, effect] of effects.entries()) {
    const real = reals[index] ?? null;
    if ("path" in effect && real !== null && real !== effect.path) moved.set(effect.path, real);
  }
  if (moved.size === 0) return accesses;
  return accesses.map((access) => {
    const { resource } = access;
    if (!resource.startsWith(PATH)) return access;
    return { ...access, resource: `${PATH}${realOf(resource.slice(PATH.length), moved)}` };
  });
}

/** The longest of the moved paths that the path is, or lies below, is put right. */
function realOf(path: string, moved: ReadonlyMap<string, string>): string {
  for (let end = path.length; end > 0; end = path.lastIndexOf("/", end - 1)) {
    const real = moved.get(path.slice(0, end));
    if (real !== undefined) return real + path.slice(end);
  }
  return path;
}
