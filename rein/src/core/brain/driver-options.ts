import type { Clock, Redact } from "../ports.ts";
import type { Composition } from "../session/compose.ts";
import type { State } from "../session/part.ts";
import type { Lease, Store } from "../session/store.ts";
import type { CheckChange } from "./command-event.ts";
import type { Observer } from "./observers.ts";
import type { PartQueue } from "./part-queue.ts";

/** What a driver works with. */
export interface DriverOptions {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly lease: Lease;
  /** The folded log. */
  readonly state: State;
  /** Events of that fold that no snapshot holds; default 0. */
  readonly unsaved?: number;
  readonly queue: PartQueue;
  /** Stay while a person must answer, instead of giving the session back. Default false. */
  readonly stay?: boolean;
  /** Told of every change, after it is durable. */
  readonly observe?: readonly Observer[];
  /** Whether a change of settings that came by the inbox can be meant; default: its shape is enough. */
  readonly checkChange?: CheckChange;
  /** Milliseconds; default 15,000. */
  readonly leaseTtl?: number;
}
