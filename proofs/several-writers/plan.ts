/** What the processes of the proof share: the task of the session, the shape of their notes, chance that can be repeated. */
import type { Command, ModelRequest, ScriptedStep } from "rein";

export const SESSION = "s";
export const TASK = "Keep entries until somebody stops you.";

/** Files of one play, in its folder. */
export const FILES = {
  store: "sessions.db",
  requests: "requests.jsonl",
  effects: "effects.jsonl",
  sent: "sent.jsonl",
  forks: "forks.jsonl",
  driverEnd: "driver-end.json",
} as const;

/** A command that was put into the inbox, and what its sender was told. */
export interface Sent {
  readonly sender: string;
  readonly commandId: string;
  readonly command: Command;
  /** The id had been used before. */
  readonly duplicate: boolean;
}

/** An effect that happened. */
export interface EffectNote {
  readonly call: string;
}

/** A fork that was made while the session ran, and went on. */
export interface ForkNote {
  readonly session: string;
  /** The last event of the parent that it has. */
  readonly seq: number;
  readonly reason: string;
  readonly findings: readonly string[];
  /** What it asked its model. */
  readonly requests: readonly ModelRequest[];
}

/** The model of the session: every turn it looks at something and asks to keep two entries, for ever. */
export function nextStep({ messages }: ModelRequest): ScriptedStep {
  const turn = messages.filter(({ role }) => role === "tool").length + 1;
  const keep = (part: string) => ({ name: "keep", input: { entry: `${turn}${part}` } });
  return { text: `Turn ${turn}.`, calls: [{ name: "look", input: { at: `${turn}` } }, keep("a"), keep("b")] };
}

/** A number from 0 to below 1, the same for the same seed and place in the row. Source: the generator mulberry32, public domain. */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
