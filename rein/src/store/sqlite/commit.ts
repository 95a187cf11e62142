import { ok, type ReinError, type Result, reinError } from "../../core/errors.ts";
import { type Append, type Commit, type Committed, GENESIS_HASH } from "../../core/session/index.ts";
import { addBlob } from "./blobs.ts";
import type { Connection } from "./connection.ts";
import { reserve, settle } from "./counters.ts";
import { eraseEvents, rowHolding } from "./erase.ts";
import { countDueWakes, countInbox, putCommand, setWake, takeCommand } from "./inbox.ts";
import { addJob } from "./jobs.ts";
import { leaseInForce, leaseLost } from "./leases.ts";
import type { Place } from "./quick-append.ts";
import { type RowTools, writeRow } from "./rows.ts";
import { setScratch } from "./scratch.ts";
import { addStream, END, emptyStream, moveEnd, needStream, streamIdOf } from "./stream-table.ts";
import { numberOf, textOf } from "./values.ts";
import { type Change, NEWEST } from "./writer.ts";

/** Where a stream stands while a commit is being done. */
interface Standing {
  /** Null: nothing is known of it yet. */
  id: number | null;
  seq: number;
  hash: string;
  /** The token in force; null when nobody holds it. */
  readonly held: number | null;
}

const STANDING = `SELECT s.id, e.pieces AS seq, lower(hex(e.hash)) AS hash, l.token AS held, ${NEWEST} AS newest FROM stream s
  LEFT JOIN envelope e ON e.stream = s.id AND e.first = ${END} LEFT JOIN lease l ON l.stream = s.id
  WHERE s.name = ? AND s.removed = 0`;

/** Does one commit that passed `checkCommit`; to be called within a write, which an error undoes. */
export function applyCommit(
  tools: RowTools,
  commit: Commit,
  change: Change,
  learn: (stream: string, place: Place) => void,
): Result<Committed> {
  const { connection } = tools;
  const standings = new Map<string, Standing>();
  const error =
    checkTokens(connection, commit, standings, change) ??
    checkPlaces(commit, standings) ??
    takeAll(connection, commit) ??
    checkScratch(connection, commit, standings, change);
  if (error !== null) return { ok: false, error };

  for (const append of commit.appends ?? [])
    appendAll(tools, append, standingOf(connection, append.stream, standings, change), change, learn);
  const buried = bury(tools, commit, change);
  if (!buried.ok) return buried;
  const duplicates = putAll(connection, commit, change);
  for (const blob of commit.blobs ?? [])
    addBlob(connection, streamIdOf(connection, blob.session), blob.hash, blob.bytes);
  for (const row of commit.scratch ?? []) setScratch(connection, row);
  for (const wake of commit.wake ?? []) {
    setWake(connection, wake);
    // A wake counts as an entry of the inbox.
    if (wake.at !== null) change.tell({ kind: "inbox", stream: wake.session });
  }
  for (const { queue, key, payload } of commit.enqueue ?? []) addJob(connection, queue, key, payload);
  const refused = moveCounters(connection, commit) ?? releaseAll(connection, commit);
  if (refused !== null) return { ok: false, error: refused };

  const seqs = (commit.appends ?? []).map(({ stream }) => [stream, standings.get(stream)?.seq ?? 0] as const);
  // Object.fromEntries makes own properties of any name, `__proto__` too.
  return ok({ seqs: Object.fromEntries(seqs), duplicates });
}

function standingOf(connection: Connection, name: string, standings: Map<string, Standing>, change: Change): Standing {
  const known = standings.get(name);
  if (known !== undefined) return known;
  const row = connection.sql(STANDING).get(name);
  const standing: Standing =
    row === undefined
      ? { id: null, seq: 0, hash: GENESIS_HASH, held: null }
      : {
          id: numberOf(row, "id"),
          seq: numberOf(row, "seq"),
          hash: textOf(row, "hash"),
          held: row.held === null ? null : numberOf(row, "held"),
        };
  if (row !== undefined) change.found(numberOf(row, "newest"));
  standings.set(name, standing);
  return standing;
}

function checkTokens(
  connection: Connection,
  commit: Commit,
  standings: Map<string, Standing>,
  change: Change,
): ReinError | null {
  for (const { stream, token } of commit.appends ?? []) {
    const { held } = standingOf(connection, stream, standings, change);
    if (token !== undefined && token !== held) return leaseLost(stream, token);
  }
  for (const { session, token } of commit.release ?? []) {
    if (standingOf(connection, session, standings, change).held !== token) return leaseLost(session, token);
  }
  for (const { session, token } of commit.tokens ?? []) {
    if (standingOf(connection, session, standings, change).held !== token) return leaseLost(session, token);
  }
  return null;
}

function checkPlaces({ appends = [] }: Commit, standings: ReadonlyMap<string, Standing>): ReinError | null {
  // Two appends of one commit to the same stream: the second stands on the first.
  const planned = appends.length > 1 ? new Map<string, number>() : null;
  for (const { stream, expectedSeq, events } of appends) {
    const seq = planned?.get(stream) ?? standings.get(stream)?.seq ?? 0;
    if (expectedSeq !== undefined && expectedSeq !== seq) {
      const message = `Session ${JSON.stringify(stream)} is at event ${seq}, not at ${expectedSeq}.`;
      return reinError("conflict", message, "Read the newer events, fold them and decide again.", { place: { seq } });
    }
    planned?.set(stream, seq + events.length);
  }
  return null;
}

function takeAll(connection: Connection, commit: Commit): ReinError | null {
  for (const commandId of commit.inbox?.take ?? []) {
    const session = takeCommand(connection, commandId);
    if (session === null) {
      const message = `Command ${JSON.stringify(commandId)} does not wait in an inbox.`;
      return reinError("conflict", message, "It was taken before: read the inbox again.");
    }
    if (!shows(commit, session)) return leaseMissing(session);
  }
  return null;
}

function checkScratch(
  connection: Connection,
  commit: Commit,
  standings: Map<string, Standing>,
  change: Change,
): ReinError | null {
  for (const { session } of commit.scratch ?? []) {
    if (shows(commit, session)) continue;
    const { id } = standingOf(connection, session, standings, change);
    if (id !== null && leaseInForce(connection, id, session) !== null) return leaseMissing(session);
  }
  return null;
}

/** Whether a commit shows the token of a session; that it is the current one has been checked. */
function shows({ appends = [], release = [], tokens = [] }: Commit, session: string): boolean {
  return (
    appends.some(({ stream }) => stream === session) ||
    release.some((entry) => entry.session === session) ||
    tokens.some((entry) => entry.session === session)
  );
}

function leaseMissing(session: string): ReinError {
  return reinError(
    "lease_lost",
    `This needs the lease of session ${JSON.stringify(session)}.`,
    "Give its token in an append, a release or `tokens`.",
  );
}

function appendAll(
  tools: RowTools,
  { stream: name, token, events }: Append,
  standing: Standing,
  change: Change,
  learn: (stream: string, place: Place) => void,
): void {
  if (events.length === 0) return;
  const { connection } = tools;
  standing.id ??= addStream(connection, emptyStream(name), 0).id;
  const row = change.row + 1;
  const written = writeRow(
    tools,
    { stream: standing.id, name, first: standing.seq + 1, row, previous: standing.hash },
    events,
  );
  standing.hash = written.hash;
  standing.seq += events.length;
  moveEnd(connection, standing.id, {
    seq: standing.seq,
    hash: standing.hash,
    row,
    updatedAt: Math.round(connection.now()),
  });
  change.appended(row, written.rows, standing.hash);
  change.tell({ kind: "append", stream: name });
  // A ledger has many writers.
  if (token !== undefined) learn(name, { id: standing.id, seq: standing.seq, hash: standing.hash });
}

/** Makes tombstones of the events that are to be stored as such. */
function bury(tools: RowTools, { appends = [] }: Commit, change: Change): Result<void> {
  for (const { stream: name, expectedSeq = 0, tombstones = [] } of appends) {
    for (const index of tombstones) {
      const seq = expectedSeq + 1 + index;
      const stream = needStream(tools.connection, name);
      if (!stream.ok) return stream;
      const row = rowHolding(tools, stream.value, seq);
      if (!row.ok) return row;
      eraseEvents(tools.connection, stream.value.id, row.value, new Set([seq]));
      change.shortened();
    }
  }
  return ok(undefined);
}

function putAll(connection: Connection, commit: Commit, change: Change): readonly string[] {
  const duplicates: string[] = [];
  for (const command of commit.inbox?.put ?? []) {
    if (putCommand(connection, command)) change.tell({ kind: "inbox", stream: command.session });
    else duplicates.push(command.commandId);
  }
  return duplicates;
}

function moveCounters(connection: Connection, commit: Commit): ReinError | null {
  // What is settled first makes room for what is reserved.
  for (const settlement of commit.settle ?? []) {
    const error = settle(connection, settlement);
    if (error !== null) return error;
  }
  for (const reservation of commit.reserve ?? []) {
    const error = reserve(connection, reservation);
    if (error !== null) return error;
  }
  return null;
}

function releaseAll(connection: Connection, commit: Commit): ReinError | null {
  for (const { session } of commit.release ?? []) {
    const id = streamIdOf(connection, session);
    const waiting = countInbox(connection, id);
    const due = countDueWakes(connection, id);
    if (waiting + due > 0) {
      const message = `${waiting} commands and ${due} due wakes wait for session ${JSON.stringify(session)}.`;
      return reinError("conflict", message, "Take them in, then release.");
    }
    connection.sql("DELETE FROM lease WHERE stream = ?").run(id);
  }
  return null;
}
