import { unwantedIntents } from "../../unwanted-intents.ts";
import type { Invariant } from "../recording.ts";

/** Folded and decided again: each intent of the log was wanted by the rules in the state before it. */
export const intentsWanted: Invariant = {
  name: "intents-wanted",
  check: ({ sessions, composition }) =>
    sessions.flatMap(({ events, states }) => unwantedIntents(composition, events, states)),
};
