/** What the runners of calls look up: the call in the state, its message and judgement in the log. */
import { ReinFailure } from "../../errors.ts";
import { callKey } from "../../message/message.ts";
import type { CallResult, PendingCall } from "../../ports.ts";
import type { NewEvent } from "../../session/event.ts";
import type { KernelEvents } from "../../session/kernel-events.ts";
import type { Effect, EffectContext } from "../../session/part.ts";
import type { OpenCall } from "../../session/state.ts";
import { dataOf } from "../data-of.ts";

/** Data of an event that is still in memory. */
export type Recent = (seq: number) => unknown;

/** The key of the call an effect is about. */
export function callOf(effect: Effect): string {
  return String(effect.input.call);
}

/** That call, while its message is open. */
export function openCall(effect: Effect, context: EffectContext): OpenCall | undefined {
  const key = callOf(effect);
  return context.state().kernel.open?.calls.find((call) => call.call === key);
}

/** The call as the tools room gets it, if its message is still in memory. */
export function pendingCall(effect: Effect, context: EffectContext, recent: Recent): PendingCall | null {
  const open = context.state().kernel.open;
  return open === null ? null : pendingFrom(effect, context, recent(open.seq));
}

/** The same, read back from the store where need be. Throws when the message was erased or is closed. */
export async function loadPending(effect: Effect, context: EffectContext): Promise<PendingCall> {
  const open = context.state().kernel.open;
  const pending = open === null ? null : pendingFrom(effect, context, await load(context, open.seq));
  if (pending !== null) return pending;
  throw new Error(`The message of call ${callOf(effect)} is not there any more (erased, or the call is closed).`);
}

function pendingFrom(effect: Effect, context: EffectContext, data: unknown): PendingCall | null {
  const { open, settings, captured } = context.state().kernel;
  const responded = dataOf("model.responded", data);
  if (open === null || settings === null || responded === undefined) return null;
  const call = callOf(effect);
  const block = responded.content.find((_, index) => callKey(open.seq, index) === call);
  if (block?.type !== "tool_use") return null;
  const { name, input } = block;
  const pending = { session: context.session, call, name, input, settings, offered: captured.offered };
  return block.malformed === undefined ? pending : { ...pending, malformed: block.malformed };
}

/** The judgement of a call, if it is still in memory. */
export function recentJudgement(call: OpenCall | undefined, recent: Recent): KernelEvents["call.judged"] | undefined {
  return call === undefined || call.judged === null ? undefined : dataOf("call.judged", recent(call.judged));
}

/** The judgement of a call; throws when it was erased. */
export async function loadJudgement(effect: Effect, context: EffectContext): Promise<KernelEvents["call.judged"]> {
  const judged = openCall(effect, context)?.judged ?? null;
  const judgement = judged === null ? undefined : dataOf("call.judged", await load(context, judged));
  if (judgement === undefined) throw new Error(`Call ${callOf(effect)} has no judgement.`);
  return judgement;
}

/** Data of an event; throws when the store cannot read it. */
export async function load(context: EffectContext, seq: number): Promise<unknown> {
  const loaded = await context.load(seq);
  if (loaded.ok) return loaded.value;
  throw new ReinFailure(loaded.error);
}

/** The event that ends a call. */
export function finished(effect: Effect, result: CallResult, duration = 0): NewEvent {
  const call = callOf(effect);
  const { outcome, content, stages, errorType, originalBytes, blobs } = result;
  // What nearly every call ends with.
  if (stages !== undefined && (errorType ?? originalBytes ?? blobs) === undefined) {
    return { type: "tool.finished", data: { call, duration, outcome, content, stages } };
  }
  const { blobs: _, ...told } = result;
  const event = { type: "tool.finished", data: { call, duration, ...told } };
  return blobs === undefined ? event : { ...event, blobs };
}
