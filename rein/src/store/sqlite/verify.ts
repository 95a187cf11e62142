import { hash } from "node:crypto";
import { statSync } from "node:fs";
import { setImmediate as nextTask } from "node:timers/promises";
import { ok, type ReinError, type Result } from "../../core/errors.ts";
import type { Finding, Head, Verification } from "../../core/session/index.ts";
import { missingPages, missingPagesText } from "./file-length.ts";
import { readHeadNotes } from "./head-notes.ts";
import { findingOfLoss, findLoss, headsMissing, openLosses } from "./losses.ts";
import { currentOwner } from "./owner.ts";
import type { RowTools, StoredRow } from "./rows.ts";
import { readMeta, schemaDigest } from "./schema.ts";
import { brokenSeals, SEALED_TABLE_NAMES } from "./sealed-tables.ts";
import { findStream, findStreamById, type StreamRow, unknownStream } from "./stream-table.ts";
import { streamsLeft } from "./streams-left.ts";
import { bytesOf, numberOf } from "./values.ts";
import { type Damage, faultOfEnd, type Link, lineageOf, linkAtBase, walkFrom } from "./walk.ts";

/** Rows checked between two breaths of the event loop. */
const CHUNK = 200;

/** More findings than anybody reads; the rest is only counted. */
const MOST_FINDINGS = 1_000;

/** One stream to check, and how far. */
interface Part {
  readonly stream: StreamRow;
  /** Seq of the last event that anybody can read. */
  readonly needed: number;
  /** Whether its end must be where its own row says, not just behind `needed`. */
  readonly whole: boolean;
}

/** Checks a store; what it finds is collected, an error that is no damage ends it. */
export class Verifier {
  readonly #tools: RowTools;
  readonly #headsFolder: string;
  readonly #findings: Finding[] = [];
  readonly #heads = new Map<string, Head>();
  #more = 0;
  #events = 0;
  #erased = 0;
  #error: ReinError | null = null;

  constructor(tools: RowTools, headsFolder: string) {
    this.#tools = tools;
    this.#headsFolder = headsFolder;
  }

  /** Checks one stream, with all it reads through. */
  async one(name: string): Promise<Result<Verification>> {
    const found = await this.#tools.connection.read(() => findStream(this.#tools.connection, name));
    if (found.ok && (found.value === null || found.value.seq === 0)) return unknownStream(name);
    if (!found.ok && found.error.code !== "store_damaged") return found;
    if (found.ok && found.value !== null) {
      const stream = found.value;
      const parts = await this.#step(() => ok(this.#partsOf(stream)), name);
      for (const part of parts ?? []) await this.#checkPart(part);
      this.#heads.set(name, { seq: stream.seq, hash: stream.hash });
    } else if (!found.ok) this.#note(findingOf(found.error, name));
    return this.#result();
  }

  /** Checks everything there is. */
  async all(): Promise<Result<Verification>> {
    const { connection } = this.#tools;
    const notes = readHeadNotes(this.#headsFolder);
    this.#checkLength();
    await this.#step(() => {
      const loss = findLoss(connection, notes, currentOwner().bootId) ?? headsMissing(connection, this.#headsFolder);
      if (loss !== null) this.#note(findingOfLoss(connection.file, loss));
      for (const finding of openLosses(connection)) this.#note(finding);
      return ok(undefined);
    });
    for (const name of notes.broken) {
      this.#note({
        kind: "damage",
        message: `The head file ${name} cannot be read.`,
        place: { file: `${this.#headsFolder}/${name}` },
      });
    }
    await this.#step(() => this.#checkSchema());
    const left = await this.#step(() => ok(streamsLeft(connection)));
    for (const error of left?.errors ?? []) this.#note(findingOf(error));
    for (const [id, name] of left?.streams ?? []) await this.#checkStream(id, name);
    await this.#step(() => this.#checkOrphans());
    for (const table of SEALED_TABLE_NAMES) await this.#step(() => this.#checkSeals(table));
    await this.#checkBlobs();
    await this.#step(() => this.#checkFile());
    return this.#result();
  }

  /** A file that was cut: what lies behind its end is missing. While there are frames in the WAL, it may rightly be short. */
  #checkLength(): void {
    const { file } = this.#tools.connection;
    if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0) return;
    const missing = missingPages(file);
    if (missing === null) return;
    const { bytes, expected, from, to } = missing;
    const place = { file, bytes, expected, page: from, toPage: to };
    this.#note({ kind: "damage", message: missingPagesText(file, missing), place });
  }

  async #checkStream(id: number, name: string): Promise<void> {
    const part = await this.#step(() => this.#partOf(id), name);
    if (part === undefined || part === null) return;
    await this.#checkPart(part);
    const { stream } = part;
    if (!stream.removed && stream.seq > 0) this.#heads.set(stream.name, { seq: stream.seq, hash: stream.hash });
  }

  /** A stream as a whole; null when it went away since it was listed. */
  #partOf(id: number): Result<Part | null> {
    const { connection } = this.#tools;
    const stream = findStreamById(connection, id);
    if (!stream.ok || stream.value === null) return stream.ok ? ok(null) : stream;
    if (!stream.value.removed) return ok({ stream: stream.value, needed: Number.POSITIVE_INFINITY, whole: true });
    const row = connection.sql("SELECT ifnull(max(base_seq), 0) AS seq FROM stream WHERE base = ?").get(id);
    const needed = row === undefined ? 0 : numberOf(row, "seq");
    if (needed === 0) {
      const { name } = stream.value;
      const place = { file: connection.file, table: "stream", id };
      this.#note({
        kind: "damage",
        message: `${JSON.stringify(name)} is marked as removed, though no fork reads through it.`,
        stream: name,
        place,
      });
    }
    return ok({ stream: stream.value, needed, whole: true });
  }

  #partsOf(stream: StreamRow): readonly Part[] {
    const lineage = lineageOf(this.#tools, stream, Number.POSITIVE_INFINITY);
    if (!lineage.ok) {
      this.#noteDamage(lineage.damage);
      return [{ stream, needed: Number.POSITIVE_INFINITY, whole: true }];
    }
    return lineage.value.map((segment) => ({
      stream: segment.stream,
      needed: segment.to,
      whole: segment.stream === stream,
    }));
  }

  async #checkPart({ stream, needed, whole }: Part): Promise<void> {
    const to = whole ? Number.POSITIVE_INFINITY : needed;
    let link = await this.#step(() => this.#start(stream), stream.name);
    while (link !== undefined && link !== null) {
      const from: Link = link;
      link = await this.#step(() => this.#chunk(stream, from, to, needed, whole), stream.name);
    }
  }

  #start(stream: StreamRow): Result<Link | null> {
    const link = linkAtBase(this.#tools, stream);
    if (link.ok) return ok(link.value);
    this.#noteDamage(link.damage);
    return ok(null);
  }

  /** Checks the next rows and gives the link behind them; null at the end, which is then checked too. */
  #chunk(stream: StreamRow, from: Link, to: number, needed: number, whole: boolean): Result<Link | null> {
    let rows = 0;
    const visit = (row: StoredRow): boolean => {
      this.#count(row, needed);
      rows += 1;
      return rows < CHUNK;
    };
    const walked = walkFrom(this.#tools, { stream, to }, from, visit, (damage) => this.#noteDamage(damage));
    if (!walked.ok) return ok(null);
    if (rows === CHUNK) return ok(walked.value);
    // Others may have appended since the walk began, so the end is compared with what the stream's row says now.
    const now = findStreamById(this.#tools.connection, stream.id);
    if (!now.ok || now.value === null) return now.ok ? ok(null) : now;
    const fault = whole ? faultOfEnd(now.value, walked.value) : endsEarly(stream, needed, walked.value);
    if (fault !== null) this.#noteDamage(fault);
    return ok(null);
  }

  #count({ first, parts }: StoredRow, needed: number): void {
    parts.forEach((part, index) => {
      if (first + index > needed) return;
      this.#events += 1;
      if (part.data === null) this.#erased += 1;
    });
  }

  #checkSchema(): Result<void> {
    const { connection } = this.#tools;
    const meta = readMeta(connection);
    if (!meta.ok) return meta;
    if (meta.value?.get("schema_digest") !== schemaDigest(connection)) {
      const place = { file: connection.file, table: "sqlite_schema" };
      this.#note({ kind: "damage", message: "The definitions of the tables are not those that were written.", place });
    }
    return ok(undefined);
  }

  #checkOrphans(): Result<void> {
    const { connection } = this.#tools;
    const file = connection.file;
    const payloads = connection
      .sql(
        `SELECT p.row FROM payload p LEFT JOIN envelope e ON e.stream = p.stream AND e.first = p.first
         WHERE e.row IS NULL OR p.row < e.row OR p.row >= e.row + e.pieces LIMIT ${MOST_FINDINGS}`,
      )
      .all();
    for (const row of payloads) {
      const place = { file, table: "payload", row: numberOf(row, "row") };
      this.#note({ kind: "damage", message: `The payload ${place.row} belongs to no append.`, place });
    }
    const envelopes = connection
      .sql("SELECT DISTINCT stream FROM envelope WHERE stream NOT IN (SELECT id FROM stream)")
      .all();
    for (const row of envelopes) {
      const place = { file, table: "envelope", stream: numberOf(row, "stream") };
      this.#note({
        kind: "damage",
        message: `The appends of stream number ${place.stream} belong to no stream.`,
        place,
      });
    }
    const blobs = connection
      .sql(
        `SELECT b.id FROM blob b WHERE NOT EXISTS (SELECT 1 FROM blob_ref WHERE blob = b.id)
         UNION SELECT blob FROM blob_ref WHERE blob NOT IN (SELECT id FROM blob) OR stream NOT IN (SELECT id FROM stream)`,
      )
      .all();
    for (const row of blobs) {
      const place = { file, table: "blob_ref", blob: numberOf(row, "id") };
      this.#note({ kind: "damage", message: `Which session keeps the blob number ${place.blob} was changed.`, place });
    }
    return ok(undefined);
  }

  #checkSeals(table: string): Result<void> {
    const { connection } = this.#tools;
    for (const row of brokenSeals(connection, table)) {
      this.#note({
        kind: "damage",
        message: `A row of the table ${table} was changed.`,
        place: { file: connection.file, table, row },
      });
    }
    return ok(undefined);
  }

  async #checkBlobs(): Promise<void> {
    const { connection } = this.#tools;
    const ids = await this.#step(() =>
      ok(
        connection
          .sql("SELECT id FROM blob ORDER BY id")
          .all()
          .map((row) => numberOf(row, "id")),
      ),
    );
    for (const id of ids ?? []) {
      await this.#step(() => {
        const row = connection.sql("SELECT hash, bytes FROM blob WHERE id = ?").get(id);
        if (row === undefined || hash("sha256", bytesOf(row, "bytes"), "buffer").equals(bytesOf(row, "hash")))
          return ok(undefined);
        const place = { file: connection.file, table: "blob", id, blob: bytesOf(row, "hash").toString("hex") };
        this.#note({ kind: "damage", message: `The bytes of the blob ${place.blob} were changed.`, place });
        return ok(undefined);
      });
    }
  }

  #checkFile(): Result<void> {
    const { connection } = this.#tools;
    for (const row of connection.sql("PRAGMA integrity_check").all()) {
      const text = String(row.integrity_check);
      if (text === "ok") continue;
      // SQLite names the page in words only.
      const page = /\bpage (\d+)/.exec(text)?.[1];
      const place = { file: connection.file, ...(page === undefined ? {} : { page: Number(page) }) };
      this.#note({ kind: "damage", message: `The database file is damaged: ${text}.`, place });
    }
    return ok(undefined);
  }

  /** Runs one step on an unchanging state. Damage it meets becomes a finding, of `stream` where given; any other error ends the whole. */
  async #step<T>(step: () => Result<T>, stream?: string): Promise<T | undefined> {
    if (this.#error !== null) return undefined;
    const result = await this.#tools.connection.read(step);
    await nextTask();
    if (result.ok) return result.value;
    if (result.error.code === "store_damaged") this.#note(findingOf(result.error, stream));
    else this.#error = result.error;
    return undefined;
  }

  #noteDamage(damage: Damage): void {
    this.#note({ kind: "damage", ...damage, place: { file: this.#tools.connection.file, ...damage.place } });
  }

  #note(finding: Finding): void {
    if (this.#findings.length < MOST_FINDINGS) this.#findings.push(finding);
    else this.#more += 1;
  }

  #result(): Result<Verification> {
    if (this.#error !== null) return { ok: false, error: this.#error };
    if (this.#more > 0)
      this.#findings.push({ kind: "notice", message: `${this.#more} further findings are left out.` });
    return ok({
      ok: this.#findings.every(({ kind }) => kind === "notice"),
      streams: this.#heads.size,
      events: this.#events,
      erased: this.#erased,
      findings: this.#findings,
      // Object.fromEntries makes own properties of any name, `__proto__` too.
      heads: Object.fromEntries(this.#heads),
    });
  }
}

function endsEarly(stream: StreamRow, needed: number, end: Link): Damage | null {
  // Where a row could not be read, that has been said.
  if (end.next > needed || end.next < 1) return null;
  const message = `Events ${end.next} to ${needed} of ${JSON.stringify(stream.name)} are missing.`;
  return { message, stream: stream.name, from: end.next, to: needed };
}

function findingOf({ message, place }: ReinError, stream?: string): Finding {
  const what = stream === undefined ? message : `${JSON.stringify(stream)} cannot be read as a whole: ${message}`;
  return {
    kind: "damage",
    message: what,
    ...(stream === undefined ? {} : { stream }),
    ...(place === undefined ? {} : { place }),
  };
}
