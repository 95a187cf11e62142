import type { Invariant } from "../recording.ts";

/** Once the storm is over, every session comes to rest: done, waiting for a person, paused or terminated, with an empty inbox. */
export const ends: Invariant = {
  name: "ends",
  check: ({ unfinished }) => (unfinished === null ? [] : [unfinished]),
};
