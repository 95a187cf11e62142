/** A state as text and back. A snapshot is a cache: anything odd about it means that the log is folded instead. */
import { isJsonObject, parseJson } from "../json.ts";
import { Vector } from "../vector.ts";
import type { Composition } from "./compose.ts";
import type { State } from "./part.ts";
import type { HistoryItem, KernelState } from "./state.ts";
import type { Snapshot } from "./store.ts";

/** The text of a state. */
export function saveState(state: State): string {
  return JSON.stringify(state);
}

/** The state of a snapshot; null when another composition made it or it cannot be read. */
export function restoreState(snapshot: Snapshot, composition: Composition): State | null {
  if (snapshot.version !== composition.version) return null;
  const parsed = parseJson(snapshot.body, "A snapshot");
  if (!parsed.ok || !isJsonObject(parsed.value)) return null;
  const { kernel, slices } = parsed.value;
  if (!isJsonObject(kernel) || !isJsonObject(slices) || kernel["seq"] !== snapshot.seq || !Array.isArray(kernel["history"])) return null;
  // The version names every event type and the fold, so this text was written from exactly this shape.
  const plain = kernel as unknown as Omit<KernelState, "history"> & { readonly history: readonly HistoryItem[] };
  return { kernel: { ...plain, history: Vector.of(plain.history) }, slices };
}
