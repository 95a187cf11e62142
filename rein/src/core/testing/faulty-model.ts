/** A model that fails on purpose, for tests of whatever asks one. */
import { type ErrorCode, reinError } from "../errors.ts";
import type { Clock, Model, ModelRequest, ModelStreamPart } from "../ports.ts";
import { type Dice, diceOf } from "./dice.ts";

/** What can go wrong with a request; `onFault` is told these. */
export type ModelFault =
  /** An `error` part in place of the message, or in its middle. */
  | "error"
  /** The stream ends without `done`. */
  | "cut"
  /** Nothing more comes for a while; then `model_timeout`. */
  | "stall"
  /** As `stall`, and the abort is not listened to. */
  | "deaf-stall"
  /** Each part comes late. */
  | "drip"
  /** A second `done` and a delta come behind the first. */
  | "done-twice"
  /** The adapter throws, against its contract. */
  | "throw";

/** Which faults, and how often. */
export interface ModelFaults {
  /** Numbers from 0 to 1; a seeded source makes the faults repeatable. */
  readonly random: () => number;
  readonly clock: Pick<Clock, "sleep">;
  /** Probability of each fault for one request, by its name; absent is 0. Looked at with every request, so it may change. */
  readonly chances?: Readonly<Partial<Record<ModelFault, number>>>;
  /** Codes of `error`; default some transient and some permanent ones. */
  readonly codes?: readonly ErrorCode[];
  /** Milliseconds a stalled stream is silent; default 30,000. */
  readonly stallFor?: number;
  /** Told of each fault that really happened. */
  readonly onFault?: (fault: ModelFault) => void;
}

const CODES: readonly ErrorCode[] = [
  "model_overloaded",
  "model_rate_limited",
  "model_unreachable",
  "model_timeout",
  "model_quota",
  "model_protocol",
  "model_auth",
  "context_overflow",
];
const FAULTS: readonly ModelFault[] = ["error", "cut", "stall", "deaf-stall", "drip", "done-twice", "throw"];
const STALL = 30_000;
const LONGEST_DRIP = 500;

/** Wraps a model; a request meets at most one fault. */
export function createFaultyModel(model: Model, faults: ModelFaults): Model {
  const dice = diceOf(faults.random);
  return {
    id: model.id,
    capabilities: (name) => model.capabilities(name),
    stream(request, signal) {
      const fault = FAULTS.find((kind) => {
        const chance = faults.chances?.[kind] ?? 0;
        return chance > 0 && dice.chance(chance);
      });
      if (fault === undefined) return model.stream(request, signal);
      return spoiled(model, request, signal, faults, fault, dice);
    },
  };
}

async function* spoiled(
  model: Model,
  request: ModelRequest,
  signal: AbortSignal,
  faults: ModelFaults,
  fault: ModelFault,
  dice: Dice,
): AsyncGenerator<ModelStreamPart> {
  faults.onFault?.(fault);
  const whole = fault === "drip" || fault === "done-twice";
  let left = whole ? Number.POSITIVE_INFINITY : dice.int(0, 4);
  for await (const part of model.stream(request, signal)) {
    if (!whole && (left <= 0 || part.type === "done")) break;
    left -= 1;
    if (fault === "drip") await faults.clock.sleep(dice.int(1, LONGEST_DRIP), signal);
    yield part;
    if (fault === "done-twice" && part.type === "done") {
      yield { type: "text_delta", index: 0, text: "Behind the end." };
      yield part;
    }
  }
  switch (fault) {
    case "error":
      yield errorPart(dice.pick(faults.codes ?? CODES));
      return;
    case "stall":
    case "deaf-stall":
      await faults.clock.sleep(faults.stallFor ?? STALL, fault === "stall" ? signal : undefined);
      yield errorPart("model_timeout");
      return;
    case "throw":
      throw new Error("The faulty model threw.");
    case "cut":
    case "drip":
    case "done-twice":
      return;
  }
}

function errorPart(code: ErrorCode): ModelStreamPart {
  const {
    class: kind,
    message,
    hint,
  } = reinError(code, `The faulty model says ${code}.`, "It was told to; see its options.");
  return { type: "error", error: { class: kind, code, message, hint } };
}
