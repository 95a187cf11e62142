import assert from "node:assert/strict";
import { hash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { ErrorCode, ReinError, Result } from "../../core/errors.ts";
import type { Commit, Committed, EventToStore, Lease, Store, StoredEvent } from "../../core/session/index.ts";
import type { StoreUnderTest } from "./types.ts";

/** The store's clock when a check begins. */
export const START = 1_800_000_000_000;

/** Time to live of a lease where it does not matter. */
export const TTL = 30_000;

/** The value of a result that must be one. */
export function good<T>(result: Result<T>): T {
  if (!result.ok) assert.fail(`unexpected ${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** The error of a result that must be refused with that code. */
export function refused(result: Result<unknown>, code: ErrorCode): ReinError {
  assert.equal(result.ok, false, `must be refused with ${code}`);
  assert.equal(result.error.code, code, result.error.message);
  assert.notEqual(result.error.message, "");
  assert.notEqual(result.error.hint, "");
  return result.error;
}

/** An event whose type and data say what it is. */
export function event(data: string, type = "x.note"): EventToStore {
  return { type, version: 1, at: START, data };
}

/** Takes a lease that must be free. */
export async function hold(under: StoreUnderTest, session: string, owner = under.owners.alive): Promise<Lease> {
  return good(await under.store.acquire(session, owner, TTL));
}

/** Appends events with these data in one append. */
export async function append(
  store: Store,
  lease: Lease,
  expectedSeq: number,
  data: readonly string[],
  more: Commit = {},
): Promise<Result<Committed>> {
  const { session: stream, token } = lease;
  const own = { stream, token, expectedSeq, events: data.map((text) => event(text)) };
  return store.commit({ ...more, appends: [own, ...(more.appends ?? [])] });
}

/** Makes a session of one append for each list of data. */
export async function make(
  under: StoreUnderTest,
  session: string,
  appends: readonly (readonly string[])[],
): Promise<Lease> {
  const lease = await hold(under, session);
  let seq = 0;
  for (const data of appends) {
    good(await append(under.store, lease, seq, data));
    seq += data.length;
  }
  return lease;
}

/** Data of all events of a stream, after checking that their seqs run from 1 without gaps. */
export async function dataOf(store: Store, stream: string): Promise<readonly (string | null)[]> {
  const events = good(await store.read(stream));
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  return events.map(({ data }) => data);
}

/** An event as a list, so that stores may make their objects as they like. */
export function tuple({ seq, type, version, at, data }: StoredEvent): readonly unknown[] {
  return [seq, type, version, at, data];
}

/** Newest seq of a stream; 0 when it has no event, whether or not the store knows it. */
export async function seqOf(store: Store, stream: string): Promise<number> {
  return good(await store.head(stream))?.seq ?? 0;
}

/** Puts a command into an inbox. */
export async function put(store: Store, session: string, commandId: string, payload = "{}"): Promise<Committed> {
  return good(await store.commit({ inbox: { put: [{ session, commandId, payload }] } }));
}

/** Ids of the commands that wait, oldest first. */
export async function waiting(store: Store, session: string): Promise<readonly string[]> {
  return good(await store.inbox(session)).map(({ commandId }) => commandId);
}

/** A blob of a session from text. */
export function blobOf(session: string, text: string): { session: string; hash: string; bytes: Uint8Array } {
  const bytes = new Uint8Array(Buffer.from(text, "utf8"));
  return { session, hash: hash("sha256", bytes, "hex"), bytes };
}

/** The text of a blob, or null. */
export async function textOfBlob(store: Store, blobHash: string): Promise<string | null> {
  const bytes = good(await store.blob(blobHash));
  return bytes === null ? null : Buffer.from(bytes).toString("utf8");
}

/** Waits for something that comes from elsewhere; fails after five seconds. */
export async function eventually(condition: () => boolean, what: string): Promise<void> {
  for (let round = 0; round < 500; round += 1) {
    if (condition()) return;
    await sleep(10);
  }
  assert.fail(`did not happen: ${what}`);
}
