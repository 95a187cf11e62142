/** What must hold in every world, in the order in which it is looked at. */
import type { Invariant } from "../recording.ts";
import { atMostOnce } from "./at-most-once.ts";
import { commands } from "./commands.ts";
import { consent } from "./consent.ts";
import { ends } from "./ends.ts";
import { fencing } from "./fencing.ts";
import { finishedKept } from "./finished-kept.ts";
import { forks } from "./forks.ts";
import { intentBeforeEffect } from "./intent-before-effect.ts";
import { intentsWanted } from "./intents-wanted.ts";
import { locks } from "./locks.ts";
import { noLostEvent } from "./no-lost-event.ts";
import { pairing } from "./pairing.ts";
import { prefix } from "./prefix.ts";
import { stateEqualsRefold } from "./state-equals-refold.ts";
import { stops } from "./stops.ts";
import { survivorsFirst } from "./survivors-first.ts";

/** All invariants. */
export const invariants: readonly Invariant[] = [
  ends,
  noLostEvent,
  fencing,
  commands,
  stateEqualsRefold,
  intentsWanted,
  intentBeforeEffect,
  atMostOnce,
  consent,
  survivorsFirst,
  finishedKept,
  stops,
  locks,
  forks,
  pairing,
  prefix,
];
