import { ReinFailure } from "../../core/errors.ts";
import type { Failure } from "./failure-text.ts";

/** Hints for codes that Node's own errors carry. */
const HINTS: Readonly<Record<string, string>> = {
  ENOENT: "Check that the path exists; list its folder.",
  EACCES: "Use a path that this process may read and write.",
  EPERM: "Use a path that this process may read and write.",
  EISDIR: "Give the path of a file, not of a folder.",
  ENOTDIR: "Give the path of a folder, not of a file.",
  EEXIST: "Choose another name, or look at what is there.",
  ENOSPC: "Free some space on the disk, or tell the user that it is full.",
  EROFS: "Write somewhere else: this file system is read-only.",
  EMFILE: "Try again with fewer files at once.",
  ECONNREFUSED: "Check that the service is running and the address is right.",
  ENOTFOUND: "Check the name of the host.",
  ETIMEDOUT: "Try again later, or ask for less.",
};

/** Turns anything a handler threw into words for the model; an error of Rein keeps its code and hint. Never throws itself. */
export function failureOfThrown(thrown: unknown): Failure {
  if (thrown instanceof ReinFailure) {
    return { type: thrown.error.code, message: thrown.error.message, hint: thrown.error.hint };
  }
  return { type: "tool_failed", message: messageOf(thrown), hint: hintOf(thrown) };
}

function messageOf(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return `It threw ${typeof thrown === "string" ? thrown : String(thrown)}.`;
    return thrown.message === "" ? `It threw ${thrown.name}.` : `${thrown.name}: ${thrown.message}`;
  } catch (again) {
    // A thrown value may itself throw when it is read.
    return `It threw something that cannot be read (${typeof again}).`;
  }
}

function hintOf(thrown: unknown): string {
  if (thrown instanceof Error && "code" in thrown && typeof thrown.code === "string") {
    const known = Object.hasOwn(HINTS, thrown.code) ? HINTS[thrown.code] : undefined;
    if (known !== undefined) return known;
  }
  return "Try other arguments, or another tool; the same call will most likely fail again.";
}
