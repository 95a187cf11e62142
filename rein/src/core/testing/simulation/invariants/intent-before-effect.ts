import { isKernelEvent } from "../../../session/index.ts";
import { commitFinder } from "../commit-finder.ts";
import type { Invariant } from "../recording.ts";

/** Nothing happens in the world, and no model is asked, before the same brain has committed that it will. */
export const intentBeforeEffect: Invariant = {
  name: "intent-before-effect",
  check(recording) {
    const faults: string[] = [];
    const commitOf = commitFinder(recording);
    // The lives that have committed an intent, and when, by what it is for.
    const intents = new Map<string, { readonly order: number; readonly life: string }[]>();
    for (const { session, events, base } of recording.sessions) {
      for (const event of events.slice(base)) {
        if (!isKernelEvent(event)) continue;
        const key = keyOf(event);
        const commit = key === null ? undefined : commitOf(session, event.seq);
        if (key === null || commit === undefined) continue;
        const place = `${session} ${key}`;
        intents.set(place, [...(intents.get(place) ?? []), commit]);
      }
    }
    const begun = (place: string, life: string, order: number): boolean =>
      (intents.get(place) ?? []).some((intent) => intent.life === life && intent.order < order);
    for (const { session, call, life, order, byProcess } of recording.effects) {
      const place = `${session} ${byProcess ? "process" : "call"} ${call}`;
      if (!begun(place, life, order)) faults.push(`${session} ${call}: ${life} acts without having said so.`);
    }
    for (const { session, life, order, request } of recording.requests) {
      const { turn, attempt } = request.trace;
      if (!begun(`${session} model ${turn}.${attempt}`, life, order))
        faults.push(`${session}: ${life} asks for ${turn}.${attempt} without having said so.`);
    }
    return faults;
  },
};

function keyOf(event: Parameters<typeof isKernelEvent>[0]): string | null {
  if (!isKernelEvent(event)) return null;
  switch (event.type) {
    case "tool.started":
      return `call ${event.data.call}`;
    case "process.started":
      return `process ${event.data.call}`;
    case "model.requested":
      return `model ${event.data.turn}.${event.data.attempt}`;
    default:
      return null;
  }
}
