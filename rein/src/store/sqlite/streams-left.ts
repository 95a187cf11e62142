import type { ReinError } from "../../core/errors.ts";
import type { Connection } from "./connection.ts";
import { faultOf, isBusy } from "./faults.ts";
import { numberOf, textOf } from "./values.ts";

/** The streams of a database, as far as it can be read. */
export interface StreamsLeft {
  /** Their numbers, with their names. */
  readonly streams: ReadonlyMap<number, string>;
  /** What stood in the way of finding all of them. */
  readonly errors: readonly ReinError[];
}

/** The names stand in the table and once more in its index, on other pages: where one cannot be read, the other may tell. */
const SOURCES = [
  "SELECT id, name FROM stream NOT INDEXED ORDER BY id",
  "SELECT id, name FROM stream NOT INDEXED ORDER BY id DESC",
  "SELECT id, name FROM stream INDEXED BY stream_name WHERE removed = 0 ORDER BY name",
  "SELECT id, name FROM stream INDEXED BY stream_name WHERE removed = 0 ORDER BY name DESC",
] as const;

/** Lists all streams; to be called within a read. */
export function streamsLeft(connection: Connection): StreamsLeft {
  const streams = new Map<number, string>();
  const errors: ReinError[] = [];
  for (const source of SOURCES) {
    try {
      for (const row of connection.sql(source).iterate()) {
        const id = numberOf(row, "id");
        if (!streams.has(id)) streams.set(id, textOf(row, "name"));
      }
      // The table read to its end has told all.
      if (source === SOURCES[0]) break;
    } catch (thrown) {
      if (isBusy(thrown)) throw thrown;
      errors.push(faultOf(thrown, connection.file));
    }
  }
  return { streams, errors };
}
