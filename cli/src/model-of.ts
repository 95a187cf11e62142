import { fail, type Model, ok, type Result, systemClock } from "rein";

/** A model that was chosen, and what a reader should know about it. */
export interface ChosenModel {
  readonly model: Model;
  readonly about: string;
}

/** The model with this id; `model_unknown` names those there are. */
export async function modelOf(id: string, rehearsalDelay = 0): Promise<Result<ChosenModel>> {
  const { createRehearsalModel, REHEARSAL_ID } = await import("rein/lab");
  if (id !== REHEARSAL_ID) {
    const message = `There is no model ${JSON.stringify(id)} here.`;
    return fail(
      "model_unknown",
      message,
      `The only one so far is "${REHEARSAL_ID}", which is rule-based and no language model.`,
    );
  }
  const model = createRehearsalModel({ delayMs: rehearsalDelay, clock: systemClock });
  return ok({ model, about: "rule-based, no language model; needs no key and no network" });
}
