/** The event envelope: what every record of a log carries, whoever wrote it. */

/** A record of a session's log. */
export interface SessionEvent<Type extends string = string, Data = unknown> {
  readonly session: string;
  /** Place in the log, from 1, without gaps. The order of events is this and nothing else. */
  readonly seq: number;
  /** Wall clock as read, milliseconds since 1970; may step back. */
  readonly at: number;
  readonly type: Type;
  /** Version of the shape of `data`, after upcasting: the newest this build knows. */
  readonly version: number;
  /** `undefined` where the event was erased. */
  readonly data: Data;
}

/** An event that has not been committed yet. */
export interface NewEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly data: Data;
  /** Blobs this event names; they enter the store in the same commit. */
  readonly blobs?: readonly { readonly hash: string; readonly bytes: Uint8Array }[];
}

/** How a part reads and writes one type of event. */
export interface EventDefinition {
  /** Newest version of the data's shape. */
  readonly version: number;
  /** Turns data of an older version into the newest shape. Required when `version` > 1. */
  readonly upcast?: (data: unknown, from: number) => unknown;
}
