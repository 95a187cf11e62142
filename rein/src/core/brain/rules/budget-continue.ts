import type { Rule } from "../../session/part.ts";
import { notice, wantOnly } from "../answers.ts";

/** Times a run is told to go on before its word that it is done counts. */
const MAX_CONTINUES = 3;

/** A run that was given a least amount of work and stops early is told to go on. */
export const budgetContinue: Rule = {
  name: "budget-continue",
  decide({ kernel }) {
    const least = kernel.settings?.limits.minTokens;
    if (least === undefined || kernel.run.tokens >= least || kernel.recovery.continues >= MAX_CONTINUES)
      return undefined;
    const share = Math.round((kernel.run.tokens / least) * 100);
    const text = `About ${share} % of the work budget is used. Go on: look for what is missing, unchecked or could be better.`;
    return wantOnly(notice(`continue:${kernel.model.turn}`, "budget_continue", text, "budget_continue"));
  },
};
