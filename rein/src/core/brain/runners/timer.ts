import { own } from "../../json.ts";
import type { Runner } from "../../session/part.ts";

/** Waits the length of a timer. After a crash it goes on with what remains; a clock that stepped back cannot make it longer. */
export const timer: Runner = {
  start: (effect, context) => {
    const name = String(effect.input.name);
    const set = own(context.state().kernel.timers, name);
    const length = set === undefined ? Number(effect.input.length) : set.length;
    return {
      ...(set === undefined && { intent: [{ type: "timer.set", data: { name, length } }] }),
      go: async () => {
        await context.clock.sleep(length, context.signal);
        return context.signal.aborted ? [] : [{ type: "timer.fired", data: { name } }];
      },
    };
  },
  recover: async (effect, context) => {
    const name = String(effect.input.name);
    const set = own(context.state().kernel.timers, name);
    if (set === undefined) return [];
    const passed = Math.max(0, context.clock.now() - set.at);
    return [{ type: "timer.rearmed", data: { name, remaining: Math.max(0, set.length - passed) } }];
  },
};
