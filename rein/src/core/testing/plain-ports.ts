/** Ports that do nothing of their own, for tests of the brain alone. */
import { ok } from "../errors.ts";
import type { Context, Hands, Redact } from "../ports.ts";

/** Redacts nothing. */
export const noRedact: Redact = {
  active: false,
  text: (text) => text,
  value: (value) => value,
  stream: () => ({ push: (text) => text, flush: () => "" }),
  marks: () => [],
};

/** A prompt head of one line. */
export const plainContext: Context = {
  capture: async (settings) => ok({ system: `You work in ${settings.folder}.`, sources: [] }),
};

/** No process ever survives. */
export const noSurvivors: Pick<Hands, "endSurvivors"> = { endSurvivors: async () => ok({ ended: 0 }) };
