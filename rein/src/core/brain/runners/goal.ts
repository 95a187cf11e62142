import { fail, ReinFailure } from "../../errors.ts";
import { own } from "../../json.ts";
import type { Runner } from "../../session/part.ts";
import type { KernelPorts } from "./kernel-ports.ts";

/** Measures the goal's metric. */
export function goalRunner(ports: KernelPorts): Runner {
  return {
    start: (effect) => ({
      go: async () => {
        const metric = String(effect.input.metric);
        const measure = own(ports.measures ?? {}, metric);
        if (measure === undefined) throw new ReinFailure(noMeasure(metric));
        return [{ type: "goal.measured", data: { turn: effect.input.turn, value: await measure() } }];
      },
    }),
  };
}

function noMeasure(metric: string) {
  return fail("invalid_option", `There is no measure "${metric}".`, "Give createAgent a measure of that name.").error;
}
