import type { CommitNote, Invariant, SessionRecord } from "../recording.ts";

/** Whatever the store accepted stands in the log, byte for byte and without a gap, and nothing else does; the chain verifies. */
export const noLostEvent: Invariant = {
  name: "no-lost-event",
  check({ sessions, commits, verification }) {
    const faults = verification.findings.map(({ message }) => `The store says: ${message}`);
    for (const record of sessions) {
      const own = commits.filter(({ session }) => session === record.session);
      faults.push(...faultsOf(record, own));
    }
    const known = new Set(sessions.map(({ session }) => session));
    for (const { session } of commits) if (!known.has(session)) faults.push(`${session} was written to and is gone.`);
    return faults;
  },
};

function faultsOf({ session, base, stored }: SessionRecord, commits: readonly CommitNote[]): readonly string[] {
  const faults: string[] = [];
  for (const [index, { seq }] of stored.entries()) {
    if (seq !== index + 1) faults.push(`${session}: event ${index + 1} has the number ${seq}.`);
  }
  let next = base + 1;
  for (const { from, to, data, life } of commits) {
    if (from !== next) faults.push(`${session}: ${life} committed ${from} to ${to}, but ${next} was the next number.`);
    for (const [offset, text] of data.entries()) {
      if (stored[from - 1 + offset]?.data !== text)
        faults.push(`${session}: event ${from + offset} is not what ${life} committed.`);
    }
    next = to + 1;
  }
  if (stored.length !== next - 1) faults.push(`${session} has ${stored.length} events, ${next - 1} were committed.`);
  return faults;
}
