import type { Invariant, Recording, SessionRecord } from "../recording.ts";

const CLOSING: ReadonlySet<string> = new Set(["session.forked", "model.interrupted", "tool.finished", "run.ended"]);

/** A fork inherits the history and nothing that is in the air: no run, call, approval, command, timer or effect of its parent. */
export const forks: Invariant = {
  name: "forks",
  check: (recording) =>
    recording.sessions.flatMap((record) => (record.parent === null ? [] : faultsOf(recording, record))),
};

function faultsOf({ effects }: Recording, { session, base, events, states }: SessionRecord): readonly string[] {
  const faults: string[] = [];
  const own = events.slice(base);
  if (own.length > 0 && own[0]?.type !== "session.forked")
    faults.push(`${session}: its first own event is ${own[0]?.type}.`);
  const woke = own.findIndex(({ type }) => type === "brain.woke");
  const tail = woke < 0 ? own : own.slice(0, woke);
  for (const { type, seq } of tail)
    if (!CLOSING.has(type)) faults.push(`${session} event ${seq}: ${type} before a brain woke.`);
  const state = states[base + tail.length]?.kernel;
  if (tail.length > 0 && state !== undefined) {
    if (state.run.active) faults.push(`${session}: it goes on with its parent's run.`);
    if (state.open !== null) faults.push(`${session}: calls of its parent are open.`);
    if (state.pending.length > 0) faults.push(`${session}: inputs of its parent wait.`);
    if (Object.keys(state.timers).length > 0) faults.push(`${session}: timers of its parent run.`);
  }
  for (const effect of effects) {
    if (effect.session === session && Number(effect.call.split(".")[0]) <= base)
      faults.push(`${session} ${effect.call}: a call of its parent took effect in it.`);
  }
  return faults;
}
