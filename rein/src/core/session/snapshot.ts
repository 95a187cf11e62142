/** A state as text and back. A snapshot is a cache: anything odd about it means that the log is folded instead. */
import { hash } from "node:crypto";
import { Vector } from "../vector.ts";
import type { Composition } from "./compose.ts";
import type { State } from "./part.ts";
import type { HistoryItem, KernelState } from "./state.ts";
import type { Head, Snapshot } from "./store.ts";

/** Length of the digest before the text of a state. */
const DIGEST_LENGTH = 64;

/** What {@link saveState} writes: the history as a plain list. */
interface SavedState {
  readonly kernel: Omit<KernelState, "history"> & { readonly history: readonly HistoryItem[] };
  readonly slices: State["slices"];
}

/** The text of a state: its SHA-256 in hex, then its JSON. */
export function saveState(state: State): string {
  const text = JSON.stringify(state);
  return `${hash("sha256", text, "hex")}${text}`;
}

/** The state of a snapshot; null when it is of another session, composition or log, or not whole. */
export function restoreState(snapshot: Snapshot, session: string, head: Head, composition: Composition): State | null {
  if (snapshot.version !== composition.version || snapshot.seq > head.seq) return null;
  if (snapshot.seq === head.seq && snapshot.hash !== head.hash) return null;
  const text = snapshot.body.slice(DIGEST_LENGTH);
  if (hash("sha256", text, "hex") !== snapshot.body.slice(0, DIGEST_LENGTH)) return null;
  // The digest says that this is what `saveState` wrote, and the version that it wrote this shape.
  const { kernel, slices }: SavedState = JSON.parse(text);
  if (kernel.session !== session || kernel.seq !== snapshot.seq) return null;
  return { kernel: { ...kernel, history: Vector.of(kernel.history) }, slices };
}
