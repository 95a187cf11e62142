/** Runners of effects that are over at once, or that only wait. */
import { hash } from "node:crypto";
import { own } from "../../json.ts";
import type { NewEvent } from "../../session/event.ts";
import type { Runner } from "../../session/part.ts";
import type { KernelPorts } from "./kernel-ports.ts";

/** Starts a run. */
export const runStart: Runner = {
  start: (effect) => ({ outcome: [{ type: "run.started", data: { run: effect.input["run"] } }] }),
};

/** Puts a notice for the model into the log. */
export const noticeRunner: Runner = {
  start: (effect) => ({ outcome: [{ type: "notice.added", data: effect.input }] }),
};

/** Waits for a person; the answer comes by the inbox and makes the effect unwanted. */
export const person: Runner = { start: () => ({}) };

/** Captures the head of the prompt into the log: system bytes and tool list as blobs, and what they were made from. */
export function captureRunner(ports: KernelPorts): Runner {
  return {
    start: (_effect, context) => ({
      go: async () => {
        const settings = context.state().kernel.settings;
        if (settings === null) return [];
        const captured = await ports.context.capture(settings);
        if (!captured.ok) throw captured.error;
        const events: NewEvent[] = captured.value.sources.map(({ source, text }) => capturedEvent(source, text));
        const tools = JSON.stringify(ports.tools.schemas);
        const blob = blobOf(tools);
        const names = ports.tools.schemas.map((schema) => schema.name);
        events.push({ type: "tools.changed", data: { blob: blob.hash, names }, blobs: [blob] });
        events.push(capturedEvent("system", captured.value.system));
        return events;
      },
    }),
  };
}

function capturedEvent(source: string, text: string): NewEvent {
  const blob = blobOf(text);
  return { type: "context.captured", data: { source, blob: blob.hash, size: blob.bytes.length }, blobs: [blob] };
}

function blobOf(text: string): { readonly hash: string; readonly bytes: Uint8Array } {
  const bytes = Buffer.from(text, "utf8");
  return { hash: hash("sha256", bytes, "hex"), bytes };
}

/** Waits the length of a timer. After a crash it goes on with what remains; a clock that stepped back cannot make it longer. */
export const timer: Runner = {
  start: (effect, context) => {
    const name = String(effect.input["name"]);
    const set = own(context.state().kernel.timers, name);
    const length = set === undefined ? Number(effect.input["length"]) : set.length;
    return {
      ...(set === undefined && { intent: [{ type: "timer.set", data: { name, length } }] }),
      go: async () => {
        await context.clock.sleep(length, context.signal);
        return context.signal.aborted ? [] : [{ type: "timer.fired", data: { name } }];
      },
    };
  },
  recover: async (effect, context) => {
    const name = String(effect.input["name"]);
    const set = own(context.state().kernel.timers, name);
    if (set === undefined) return [];
    const passed = Math.max(0, context.clock.now() - set.at);
    return [{ type: "timer.rearmed", data: { name, remaining: Math.max(0, set.length - passed) } }];
  },
};

/** Measures the goal's metric. */
export function goalRunner(ports: KernelPorts): Runner {
  return {
    start: (effect) => ({
      go: async () => {
        const metric = String(effect.input["metric"]);
        const measure = own(ports.measures ?? {}, metric);
        if (measure === undefined) throw new Error(`No measure named "${metric}" was given to createAgent.`);
        return [{ type: "goal.measured", data: { turn: effect.input["turn"], value: await measure() } }];
      },
    }),
  };
}
