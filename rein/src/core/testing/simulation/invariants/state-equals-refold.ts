import { restoreState, saveState } from "../../../session/snapshot.ts";
import { partingOf } from "../../recheck.ts";
import type { Invariant, Recording, SessionRecord } from "../recording.ts";

/** The state a driver ended with is a fresh fold of its log; a snapshot and the tail behind it give the same state. */
export const stateEqualsRefold: Invariant = {
  name: "state-equals-refold",
  check(recording) {
    const faults: string[] = [];
    for (const record of recording.sessions) {
      for (const { session, end, life, clean } of recording.ends) {
        if (session !== record.session || !clean) continue;
        const { seq } = end.state.kernel;
        const folded = record.states[seq];
        if (folded === undefined) faults.push(`${session}: ${life} ended at event ${seq}, which is not there.`);
        else if (JSON.stringify(folded) !== JSON.stringify(end.state))
          faults.push(
            `${session}: the state of ${life} at event ${seq} is not that of the log: ${partingOf(JSON.stringify(end.state), JSON.stringify(folded))}`,
          );
      }
      faults.push(...snapshotFaults(recording, record));
    }
    return faults;
  },
};

function snapshotFaults(
  { composition, seed }: Recording,
  { session, events, states, final }: SessionRecord,
): readonly string[] {
  const seq = seed % (events.length + 1);
  const state = states[seq];
  if (state === undefined) return [];
  const snapshot = { seq, hash: "", version: composition.version, body: saveState(state) };
  const restored = restoreState(snapshot, session, { seq: events.length, hash: "" }, composition);
  if (restored === null) return [`${session}: the snapshot at event ${seq} cannot be read.`];
  const folded = events.slice(seq).reduce((so, event) => composition.reduce(so, event), restored);
  if (JSON.stringify(folded) === JSON.stringify(final)) return [];
  return [
    `${session}: the snapshot at event ${seq} and the tail give another state: ${partingOf(JSON.stringify(folded), JSON.stringify(final))}`,
  ];
}
