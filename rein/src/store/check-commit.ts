import { hash } from "node:crypto";
import { type ReinError, reinError } from "../core/errors.ts";
import { type Append, type Commit, type EventToStore, isErasable } from "../core/session/index.ts";

const LEDGER = "ledger:";

/** Whether a stream is a ledger; every other one is a session. */
export function isLedger(stream: string): boolean {
  return stream.startsWith(LEDGER);
}

/**
 * What is wrong with a commit as such, whatever the store holds: names that no store could give back unchanged, an event
 * with a broken envelope, a session without token or `expectedSeq`, a blob whose hash is not that of its bytes, an amount
 * that is no amount. `null` when it may be tried.
 */
export function checkCommit(commit: Commit): ReinError | null {
  if (commit.appends !== undefined) {
    for (const append of commit.appends) {
      const error = checkAppend(append);
      if (error !== null) return error;
    }
  }
  // Nearly every commit is an append and nothing else.
  const { inbox, scratch, wake, enqueue, reserve, settle, blobs } = commit;
  if ((inbox ?? scratch ?? wake ?? enqueue ?? reserve ?? settle ?? blobs) === undefined) return null;
  return checkTexts(commit) ?? checkBlobs(commit) ?? checkNumbers(commit);
}

function checkAppend(append: Append): ReinError | null {
  const { stream, expectedSeq, token, events, tombstones } = append;
  const error = checkName(stream, "A stream");
  if (error !== null) return error;
  if (isLedger(stream)) {
    if (expectedSeq !== undefined || token !== undefined) {
      return invalid(`The append to ${show(stream)} gives a token or expectedSeq.`, "A ledger takes neither.");
    }
  } else if (expectedSeq === undefined || token === undefined) {
    return invalid(`The append to ${show(stream)} lacks its token or expectedSeq.`, "A session needs both.");
  }
  for (const event of events) {
    const error = checkEvent(event, stream);
    if (error !== null) return error;
  }
  const kept = tombstones?.find((index) => !isErasable(events[index]?.type ?? "session.created"));
  if (kept === undefined) return null;
  return invalid(
    `Event ${kept} of an append to ${show(stream)} can't be a tombstone.`,
    "Name events that may be erased.",
  );
}

function checkEvent(event: EventToStore, stream: string): ReinError | null {
  if (typeof event.type !== "string" || event.type === "" || !event.type.isWellFormed()) {
    return wrongEvent(`An event for ${show(stream)} has no type.`, "Give a text that is not empty.");
  }
  if (!Number.isSafeInteger(event.version)) {
    return wrongEvent(`An event for ${show(stream)} has the version ${String(event.version)}.`, "Give an integer.");
  }
  if (!Number.isFinite(event.at)) {
    return wrongEvent(
      `An event for ${show(stream)} has the time ${String(event.at)}.`,
      "Give milliseconds since 1970.",
    );
  }
  if (typeof event.data !== "string" || !event.data.isWellFormed()) {
    return wrongEvent(
      `An event for ${show(stream)} has data that is no well-formed text.`,
      "JSON.stringify writes a lone surrogate as an escape.",
    );
  }
  return null;
}

function checkTexts(commit: Commit): ReinError | null {
  for (const { commandId, session, payload } of commit.inbox?.put ?? []) {
    const error = checkName(commandId, "A command id") ?? checkSession(session) ?? checkText(payload, "A command");
    if (error !== null) return error;
  }
  for (const { session, key, value } of commit.scratch ?? []) {
    const error = checkSession(session) ?? checkText(key, "A scratch key") ?? checkText(value ?? "", "A scratch row");
    if (error !== null) return error;
  }
  for (const { session, name } of commit.wake ?? []) {
    const error = checkSession(session) ?? checkText(name, "The name of a wake");
    if (error !== null) return error;
  }
  for (const { queue, key, payload } of commit.enqueue ?? []) {
    const error = checkName(queue, "A queue") ?? checkText(key, "The key of a job") ?? checkText(payload, "A job");
    if (error !== null) return error;
  }
  return checkKeys(commit.reserve) ?? checkKeys(commit.settle);
}

function checkKeys(booked: readonly { readonly scope: string; readonly key: string }[] = []): ReinError | null {
  for (const { scope, key } of booked) {
    const error = checkName(scope, "A scope") ?? checkText(key, "The key of a reservation");
    if (error !== null) return error;
  }
  return null;
}

function checkBlobs(commit: Commit): ReinError | null {
  for (const blob of commit.blobs ?? []) {
    const error = checkSession(blob.session);
    if (error !== null) return error;
    if (hash("sha256", blob.bytes, "hex") !== blob.hash) {
      return wrongEvent(
        `The blob ${show(blob.hash)} has other bytes.`,
        "Its hash is the SHA-256 of its bytes in lower-case hex.",
      );
    }
  }
  return null;
}

function checkNumbers(commit: Commit): ReinError | null {
  for (const { scope, amount, limit } of commit.reserve ?? []) {
    if (!isAmount(amount) || Number.isNaN(limit)) {
      return invalid(
        `The reservation in ${show(scope)} is no amount.`,
        "Give a finite number of at least 0 and a limit.",
      );
    }
  }
  for (const { scope, actual } of commit.settle ?? []) {
    if (!isAmount(actual)) {
      return invalid(`What was spent in ${show(scope)} is no amount.`, "Give a finite number of at least 0.");
    }
  }
  for (const { name, at } of commit.wake ?? []) {
    if (at !== null && !Number.isFinite(at)) {
      return invalid(`The wake ${show(name)} has the time ${String(at)}.`, "Give milliseconds since 1970.");
    }
  }
  return null;
}

/** What is wrong with the name of a session; `null` when nothing is. */
export function checkSession(session: string): ReinError | null {
  if (isLedger(session)) return invalid(`${show(session)} is a ledger.`, "Give the id of a session.");
  return checkName(session, "A session id");
}

function checkName(name: string, what: string): ReinError | null {
  if (name === "") return invalid(`${what} is empty.`, "Give a text of at least one character.");
  return checkText(name, what);
}

function checkText(text: string, what: string): ReinError | null {
  if (text.isWellFormed()) return null;
  return invalid(`${what} holds half of a surrogate pair, ${show(text.slice(0, 100))}.`, "Give well-formed Unicode.");
}

function isAmount(amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0;
}

function invalid(message: string, hint: string): ReinError {
  return reinError("invalid_option", message, hint);
}

function wrongEvent(message: string, hint: string): ReinError {
  return reinError("event_invalid", message, hint);
}

function show(text: string): string {
  return JSON.stringify(text);
}
