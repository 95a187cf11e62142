import { textOfThrown } from "../errors.ts";
import type { SessionEvent } from "../session/event.ts";
import type { State } from "../session/part.ts";
import type { StreamPart } from "../session/stream.ts";

/** What a commit changed. */
export interface StateChange {
  /** The state after it; immutable. */
  readonly state: State;
  /** The events it committed, in their order. */
  readonly events: readonly SessionEvent[];
}

/** Told of every change (R2.2), after it is durable. Nobody waits for it. */
export type Observer = (change: StateChange) => void | Promise<void>;

/** Tells every observer. What one throws becomes a part of kind `subscriber_failed`; neither the run nor the others notice. */
export function tellObservers(
  observers: readonly Observer[],
  change: StateChange,
  post: (part: StreamPart) => void,
): void {
  for (const observer of observers) {
    const failed = (thrown: unknown): void => {
      const text = `A subscriber failed on event ${change.state.kernel.seq}: ${textOfThrown(thrown)}`;
      post({ type: "notice", kind: "subscriber_failed", text });
    };
    try {
      const told = observer(change);
      if (told instanceof Promise) told.catch(failed);
    } catch (thrown) {
      failed(thrown);
    }
  }
}
