import type { StatementSync } from "node:sqlite";
import { type Append, type Commit, rowDigest, rowHash, SALT_BYTES } from "../../core/session/index.ts";
import { encodeBody } from "./body-codec.ts";
import { encodeHeads } from "./head-codec.ts";
import { pieceLengths } from "./pieces.ts";
import type { RowTools } from "./rows.ts";
import { END, encodeTime } from "./stream-table.ts";
import { NEWEST } from "./writer.ts";

/** Where a stream ended when this process last appended to it. */
export interface Place {
  readonly id: number;
  seq: number;
  hash: string;
}

/** Streams whose ends are remembered; then all are forgotten, which costs each of them one longer commit. */
const MOST_PLACES = 10_000;

const STALE = "rein: the stream is not where it was known to end";

/**
 * One statement that does the work of four: it looks whether the stream, its end, its lease and the newest change of the file are as
 * this process knows them, and only then appends. In the temporary schema of the connection, so the file knows nothing of it.
 */
const TRIGGER = `
  CREATE TEMP VIEW quick_append AS
    SELECT 0 AS row, 0 AS stream, 0 AS first, 0 AS last, 0 AS before, 0 AS token, 0 AS heads, 0 AS hash, 0 AS time, 0 AS body;
  CREATE TEMP TRIGGER quick_append_row INSTEAD OF INSERT ON quick_append BEGIN
    SELECT RAISE(ABORT, '${STALE}') WHERE ${NEWEST} <> new.row - 1 OR NOT EXISTS (
      SELECT 1 FROM stream s JOIN lease l ON l.stream = s.id JOIN envelope e ON e.stream = s.id AND e.first = ${END}
      WHERE s.id = new.stream AND s.removed = 0 AND l.token = new.token AND e.pieces = new.first - 1 AND e.hash = new.before);
    INSERT INTO payload (row, stream, first, body) VALUES (new.row, new.stream, new.first, new.body);
    INSERT INTO envelope (stream, first, row, pieces, heads, hash)
      VALUES (new.stream, new.first, new.row, 1, new.heads, new.hash);
    UPDATE envelope SET row = new.row, pieces = new.last, heads = new.time, hash = new.hash
      WHERE stream = new.stream AND first = ${END};
  END`;

/**
 * The commit of a running session, which is one append by the holder of its lease and nothing else, done as one statement. What is not
 * certain to fit is left to the longer way, which also says what is wrong.
 */
export class QuickAppend {
  readonly #tools: RowTools;
  readonly #places = new Map<string, Place>();
  #insert: StatementSync | null = null;

  constructor(tools: RowTools) {
    this.#tools = tools;
  }

  /** Does an append as change number `row` of the file; gives the hex of its hash, or null when nothing was done. */
  run({ stream, expectedSeq, token, events }: Append, row: number): string | null {
    const place = this.#places.get(stream);
    if (place === undefined || place.seq !== expectedSeq || token === undefined || events.length === 0) return null;
    const { connection, kinds, salts } = this.#tools;
    const coded: { kind: number; version: number; at: number }[] = [];
    let least = 0;
    for (const { type, version, at, data } of events) {
      const kind = kinds.known(type);
      if (kind === undefined) return null;
      coded.push({ kind, version, at });
      least += SALT_BYTES + data.length;
    }
    if (!isWhole(least)) return null;
    const { body, digests } = encodeBody(events, salts);
    if (!isWhole(body.length)) return null;
    const first = place.seq + 1;
    const last = place.seq + events.length;
    const hash = rowHash(place.hash, stream, first, events, rowDigest(digests));
    const before = Buffer.from(place.hash, "hex");
    const after = Buffer.from(hash, "hex");
    const time = encodeTime(Math.round(connection.now()));
    try {
      this.#statement().run(row, place.id, first, last, before, token, encodeHeads(coded), after, time, body);
    } catch (thrown) {
      if (!(thrown instanceof Error && thrown.message === STALE)) throw thrown;
      this.#places.delete(stream);
      return null;
    }
    place.seq = last;
    place.hash = hash;
    return hash;
  }

  /** Remembers where a stream ends after an append by the longer way; harmless if that is undone, for the statement looks. */
  learn(stream: string, place: Readonly<Place>): void {
    if (this.#places.size >= MOST_PLACES) this.#places.clear();
    this.#places.set(stream, { ...place });
  }

  #statement(): StatementSync {
    if (this.#insert !== null) return this.#insert;
    const { db } = this.#tools.connection;
    db.exec(TRIGGER);
    this.#insert = db.prepare("INSERT INTO quick_append VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    return this.#insert;
  }
}

/** Whether a body of so many bytes goes into one row. */
function isWhole(bytes: number): boolean {
  return pieceLengths(bytes).length === 1;
}

/** The append of a commit that is nothing else; null when it is more. */
export function onlyAppend(commit: Commit): Append | null {
  const { appends, tokens = [], inbox, blobs, scratch, reserve, settle, wake, release, enqueue } = commit;
  const append = appends?.[0];
  if (append === undefined || appends?.length !== 1 || append.tombstones !== undefined) return null;
  const more = inbox ?? blobs ?? scratch ?? reserve ?? settle ?? wake ?? release ?? enqueue;
  if (more !== undefined) return null;
  return tokens.every(({ session, token }) => session === append.stream && token === append.token) ? append : null;
}
