import type { CommitNote, Recording } from "./recording.ts";

/** A look-up of the commit that an event of a session came with. */
export function commitFinder({ commits }: Recording): (session: string, seq: number) => CommitNote | undefined {
  const bySession = new Map<string, Map<number, CommitNote>>();
  for (const commit of commits) {
    const known = bySession.get(commit.session) ?? new Map<number, CommitNote>();
    for (let seq = commit.from; seq <= commit.to; seq += 1) known.set(seq, commit);
    bySession.set(commit.session, known);
  }
  return (session, seq) => bySession.get(session)?.get(seq);
}
