/**
 * The format of an exported session: JSON Lines in UTF-8. Each line is one JSON object whose last member is `digest`, the
 * SHA-256 in hex of the line's bytes before `,"digest"`, so each line can be checked by itself. Blank lines and a carriage
 * return at the end of a line do not count.
 *
 * 1. the head: `{"format":"rein-session","version":1,"session","head":{"seq","hash"},"createdAt","forkedFrom"?:{"session","seq"},"blobs"}`;
 * 2. one line for each event, in order: `{"seq","type","version","at","data"}`, data the stored text as a JSON string, or null
 *    where the event was erased;
 * 3. one line for each blob: `{"blob","base64"}`, its SHA-256 in hex and its bytes;
 * 4. the end: `{"end":true,"events","blobs","sha256"}`, the last the SHA-256 of all lines before, each with one newline.
 *
 * `head.hash` is the hash of the store's chain at the export. It can't be computed from the file, since the salts of the chain
 * stay in the store; compare it with `rein verify` of the store the file came from. Like every unkeyed sum, those of the file
 * find accidents and partial changes, not a file that was written anew as a whole.
 */
import { hash } from "node:crypto";
import { isJsonObject, type JsonObject, type JsonValue, own, parseJson } from "../json.ts";
import type { Head, StoredEvent } from "./store.ts";

/** Name of the format. */
export const EXPORT_FORMAT = "rein-session";

/** Version of the format that is written, and the newest that is read. */
export const EXPORT_VERSION = 1;

/** First line of an export. */
export interface ExportHead {
  readonly session: string;
  /** Newest place of the session at the export. */
  readonly head: Head;
  /** Milliseconds since 1970, by the clock of the store it came from. */
  readonly createdAt: number;
  readonly forkedFrom?: { readonly session: string; readonly seq: number };
  /** Number of blobs. */
  readonly blobs: number;
}

/** Last line of an export. */
export interface ExportEnd {
  readonly events: number;
  readonly blobs: number;
  readonly sha256: string;
}

/** A line that is what was written. */
export type ExportRecord =
  | { readonly kind: "head"; readonly head: ExportHead }
  | { readonly kind: "event"; readonly event: StoredEvent }
  | { readonly kind: "blob"; readonly hash: string; readonly bytes: Uint8Array }
  | { readonly kind: "end"; readonly end: ExportEnd }
  /** A whole line, but of another format or a version this build does not know. */
  | { readonly kind: "foreign"; readonly format: string; readonly version: number };

/** Writes a line, with its newline. */
export function writeLine(record: Exclude<ExportRecord, { readonly kind: "foreign" }>): string {
  const body = JSON.stringify(bodyOf(record)).slice(0, -1);
  return `${body},"digest":"${hash("sha256", body, "hex")}"}\n`;
}

function bodyOf(record: Exclude<ExportRecord, { readonly kind: "foreign" }>): Readonly<Record<string, unknown>> {
  switch (record.kind) {
    case "head":
      return { format: EXPORT_FORMAT, version: EXPORT_VERSION, ...record.head };
    case "event": {
      const { seq, type, version, at, data } = record.event;
      return { seq, type, version, at, data };
    }
    case "blob": {
      const { buffer, byteOffset, byteLength } = record.bytes;
      return { blob: record.hash, base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
    }
    case "end":
      return { end: true, ...record.end };
  }
}

const DIGEST = /,"digest":"([0-9a-f]{64})"\}$/;

/** Length of the member that {@link DIGEST} finds. */
const DIGEST_LENGTH = ',"digest":""}'.length + 64;

/** Reads a line without its newline; null when it is not what was written. */
export function readLine(line: string): ExportRecord | null {
  const digest = DIGEST.exec(line.slice(-DIGEST_LENGTH))?.[1];
  const body = line.slice(0, -DIGEST_LENGTH);
  if (digest === undefined || hash("sha256", body, "hex") !== digest) return null;
  const parsed = parseJson(`${body}}`, "The line");
  return parsed.ok && isJsonObject(parsed.value) ? recordOf(parsed.value) : null;
}

function recordOf(body: JsonObject): ExportRecord | null {
  if (Object.hasOwn(body, "format")) return headOf(body);
  if (Object.hasOwn(body, "seq")) return eventOf(body);
  if (Object.hasOwn(body, "blob")) return blobOf(body);
  return Object.hasOwn(body, "end") ? endOf(body) : null;
}

function headOf(body: JsonObject): ExportRecord | null {
  const format = textIn(body, "format");
  const version = numberIn(body, "version");
  if (format === null || version === null) return null;
  if (format !== EXPORT_FORMAT || version !== EXPORT_VERSION) return { kind: "foreign", format, version };
  const session = textIn(body, "session");
  const head = own(body, "head");
  const createdAt = numberIn(body, "createdAt");
  const blobs = numberIn(body, "blobs");
  if (session === null || createdAt === null || blobs === null || !isJsonObject(head)) return null;
  const seq = numberIn(head, "seq");
  const headHash = textIn(head, "hash");
  if (seq === null || headHash === null) return null;
  const from = own(body, "forkedFrom");
  const forkedFrom = isJsonObject(from) ? placeOf(from) : null;
  const rest = { session, head: { seq, hash: headHash }, createdAt, blobs };
  return { kind: "head", head: forkedFrom === null ? rest : { ...rest, forkedFrom } };
}

function placeOf(body: JsonObject): { readonly session: string; readonly seq: number } | null {
  const session = textIn(body, "session");
  const seq = numberIn(body, "seq");
  return session === null || seq === null ? null : { session, seq };
}

function eventOf(body: JsonObject): ExportRecord | null {
  const seq = numberIn(body, "seq");
  const type = textIn(body, "type");
  const version = numberIn(body, "version");
  const at = numberIn(body, "at");
  const data: JsonValue | undefined = own(body, "data");
  if (seq === null || type === null || version === null || at === null) return null;
  return typeof data === "string" || data === null ? { kind: "event", event: { seq, type, version, at, data } } : null;
}

function blobOf(body: JsonObject): ExportRecord | null {
  const blobHash = textIn(body, "blob");
  const base64 = textIn(body, "base64");
  if (blobHash === null || base64 === null) return null;
  const bytes = Buffer.from(base64, "base64");
  return hash("sha256", bytes, "hex") === blobHash ? { kind: "blob", hash: blobHash, bytes } : null;
}

function endOf(body: JsonObject): ExportRecord | null {
  const events = numberIn(body, "events");
  const blobs = numberIn(body, "blobs");
  const sha256 = textIn(body, "sha256");
  return events === null || blobs === null || sha256 === null ? null : { kind: "end", end: { events, blobs, sha256 } };
}

function textIn(body: JsonObject, key: string): string | null {
  const value = own(body, key);
  return typeof value === "string" ? value : null;
}

function numberIn(body: JsonObject, key: string): number | null {
  const value = own(body, key);
  return typeof value === "number" ? value : null;
}
