import type { Invariant, LeaseNote, Recording, SessionRecord } from "../recording.ts";

/** Only the newest holder of a lease appends; holders do not mix; each begins with a wake that shows a greater token. */
export const fencing: Invariant = {
  name: "fencing",
  check: (recording) => recording.sessions.flatMap((record) => faultsOf(recording, record)),
};

function faultsOf({ commits, leases }: Recording, record: SessionRecord): readonly string[] {
  const { session } = record;
  const faults: string[] = [];
  const given = leases.filter((lease) => lease.session === session);
  let last = 0;
  let woken = 0;
  for (const { order, from, to, token, life } of commits.filter((commit) => commit.session === session)) {
    const events = record.events.slice(from - 1, to);
    const newest = newestBefore(given, order);
    if (newest?.token !== token)
      faults.push(
        `${session} ${from}–${to}: ${life} appends with token ${token}, the newest is ${newest?.token ?? "none"} of ${newest?.life ?? "nobody"}.`,
      );
    if (token < last) faults.push(`${session} ${from}–${to}: token ${token} comes behind ${last}.`);
    last = token;
    for (const { type, data, seq } of events) {
      if (type !== "brain.woke") continue;
      const shown = tokenOf(data);
      if (shown <= woken) faults.push(`${session} event ${seq}: a brain wakes with token ${shown} behind ${woken}.`);
      if (shown !== token)
        faults.push(`${session} event ${seq}: a brain wakes with token ${shown} and commits with ${token}.`);
      woken = shown;
    }
    // A fork is closed by who made it, before any brain wakes in it.
    if (woken !== token && events[0]?.type !== "session.forked")
      faults.push(
        `${session} ${from}–${to}: ${life} appends with token ${token} and has not woken; the last wake shows ${woken}.`,
      );
  }
  return faults;
}

function newestBefore(leases: readonly LeaseNote[], order: number): LeaseNote | undefined {
  return leases.filter((lease) => lease.order < order).at(-1);
}

function tokenOf(data: unknown): number {
  return typeof data === "object" && data !== null && "token" in data ? Number(data.token) : 0;
}
