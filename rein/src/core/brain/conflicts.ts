import type { CallJudgement } from "../session/kernel-events.ts";

type Accesses = CallJudgement["accesses"];

/** Whether two calls must not run at the same time: one writes what the other touches. `*` is everything; a path covers what lies below it. */
export function conflicts(one: Accesses, other: Accesses): boolean {
  return one.some((a) => other.some((b) => (a.write || b.write) && overlaps(a.resource, b.resource)));
}

function overlaps(one: string, other: string): boolean {
  if (one === "*" || other === "*" || one === other) return true;
  return below(one, other) || below(other, one);
}

function below(inner: string, outer: string): boolean {
  return inner.startsWith(outer.endsWith("/") ? outer : `${outer}/`);
}
