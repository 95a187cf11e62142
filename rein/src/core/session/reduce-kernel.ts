/** The fold of the kernel's events. Pure; an event that makes no sense in a state changes nothing, so no log can break it. */
import { own } from "../json.ts";
import { Vector } from "../vector.ts";
import type { SessionEvent } from "./event.ts";
import { FRESH_RECOVERY, IDLE_MODEL, NO_RUN } from "./initial-state.ts";
import {
  KERNEL_EVENTS,
  type KernelEvent,
  type KernelEvents,
  type KernelEventType,
  type SettingsChange,
} from "./kernel-events.ts";
import { reduceCall } from "./reduce-call.ts";
import { reduceErased } from "./reduce-erased.ts";
import { closeNow, pushNotice } from "./reduce-history.ts";
import { reduceModel } from "./reduce-model.ts";
import type { HistoryItem, KernelState, PendingInput } from "./state.ts";

/** Whether an event is one of the kernel's and was not erased. */
export function isKernelEvent(event: SessionEvent): event is KernelEvent {
  return Object.hasOwn(KERNEL_EVENTS, event.type) && typeof event.data === "object" && event.data !== null;
}

/** State after one more event. */
export function reduceKernel(state: KernelState, event: SessionEvent): KernelState {
  const next: KernelState = { ...state, seq: event.seq };
  if (event.data === undefined) return reduceErased(next, event);
  return isKernelEvent(event) ? reduceKnown(next, event) : next;
}

function reduceKnown(state: KernelState, event: KernelEvent): KernelState {
  switch (event.type) {
    case "model.requested":
    case "model.responded":
    case "model.failed":
    case "model.interrupted":
      return reduceModel(state, event);
    case "call.judged":
    case "approval.requested":
    case "approval.answered":
    case "tool.started":
    case "process.started":
    case "tool.requeued":
    case "tool.finished":
      return reduceCall(state, event);
    case "run.started":
    case "run.interrupted":
    case "run.stopped":
    case "run.paused":
    case "run.resumed":
    case "run.killed":
    case "run.ended":
    case "run.blocked":
      return reduceRun(state, event);
    case "timer.set":
    case "timer.fired":
    case "timer.rearmed":
      return reduceTimer(state, event);
    default:
      return reduceSession(state, event);
  }
}

type Known<T extends KernelEventType> = { [K in T]: SessionEvent<K, KernelEvents[K]> }[T];

type SessionEventType = Exclude<
  KernelEventType,
  | `model.${string}`
  | `call.${string}`
  | `approval.${string}`
  | `tool.${string}`
  | "process.started"
  | `run.${string}`
  | `timer.${string}`
>;

function reduceSession(state: KernelState, event: Known<SessionEventType>): KernelState {
  switch (event.type) {
    case "session.created":
      return { ...state, settings: event.data.settings, parent: event.data.parent ?? null };
    case "session.forked":
      return afterFork(event.data.imported === true ? withoutAllow(state) : state, event.data.parent);
    case "session.imported":
      return afterImport(state, event.data.from);
    case "brain.woke":
      return { ...state, token: event.data.token, waking: event.data.how !== "created", copied: false };
    case "settings.changed":
      return changed(state, event.data.change);
    case "input.received": {
      const input: PendingInput = { seq: event.seq, mode: event.data.mode };
      return { ...state, pending: [...state.pending, input] };
    }
    case "command.refused":
      return state;
    case "notice.added": {
      const noticed = pushNotice(state, event.seq);
      const reported = event.data.kind === "spinning" ? { ...noticed.spin, reported: true } : noticed.spin;
      const recovery = countNotice(noticed, event.data.kind);
      return { ...noticed, spin: reported, recovery, next: event.data.transition ?? noticed.next };
    }
    case "context.captured":
      return event.data.source === "system"
        ? { ...state, captured: { ...state.captured, system: event.data.blob } }
        : state;
    case "tools.changed":
      return { ...state, captured: { ...state.captured, tools: event.data.blob, offered: event.data.names } };
    case "history.compacted":
      return compacted(state, event);
    case "goal.measured":
      return { ...state, run: { ...state.run, goal: { turn: event.data.turn, value: event.data.value } } };
    case "store.lost":
      return { ...pushNotice(state, event.seq), lostTo: Math.max(state.lostTo, event.data.to) };
    case "effect.failed":
      return { ...state, failedEffects: [...state.failedEffects, event.data.id] };
  }
}

/** A file from elsewhere brings its history, never its permissions; and rows of another store say nothing about the losses of this one. */
function afterImport(state: KernelState, from: string): KernelState {
  return { ...afterFork(withoutAllow(state), from), lostTo: 0 };
}

function withoutAllow(state: KernelState): KernelState {
  const { settings } = state;
  return settings === null ? state : { ...state, settings: { ...settings, rules: { ...settings.rules, allow: [] } } };
}

/** New models start again with their first; a fall-back taken before says nothing about them. */
function changed(state: KernelState, change: SettingsChange): KernelState {
  if (state.settings === null) return state;
  const run = change.models === undefined ? state.run : { ...state.run, model: 0 };
  return { ...state, run, settings: { ...state.settings, ...change } };
}

function countNotice(state: KernelState, kind: string): KernelState["recovery"] {
  if (kind === "resume_nudge") return { ...state.recovery, nudges: state.recovery.nudges + 1 };
  if (kind === "budget_continue") return { ...state.recovery, continues: state.recovery.continues + 1 };
  return state.recovery;
}

function compacted(
  state: KernelState,
  event: SessionEvent<"history.compacted", KernelEvents["history.compacted"]>,
): KernelState {
  const { items, transition } = event.data;
  if (items < 1 || items > state.history.length) return state;
  const history = Vector.of<HistoryItem>([{ kind: "summary", seq: event.seq }, ...state.history.slice(items)]);
  const recovery = transition === "compact_retry" ? { ...state.recovery, compacted: true } : state.recovery;
  const model =
    state.model.phase === "failed" ? { ...state.model, phase: "idle" as const, failure: null } : state.model;
  return { ...state, history, epoch: state.epoch + 1, recovery, model, next: transition };
}

type RunEventType = Extract<KernelEventType, `run.${string}`>;

function reduceRun(state: KernelState, event: Known<RunEventType>): KernelState {
  const run = state.run;
  switch (event.type) {
    case "run.started":
      return {
        ...state,
        terminated: false,
        recovery: FRESH_RECOVERY,
        model: { ...IDLE_MODEL, turn: state.model.turn },
        spin: { digest: "", count: 0, reported: false },
        next: run.ended?.reason === "interrupted" ? "interrupted" : null,
        failedEffects: [],
        run: { ...NO_RUN, number: event.data.run, active: true },
      };
    case "run.interrupted":
      return run.active ? { ...state, paused: false, run: { ...run, stopping: run.stopping ?? "interrupted" } } : state;
    case "run.stopped":
      return run.active ? { ...state, paused: false, run: { ...run, stopAtSafePoint: true } } : state;
    case "run.paused":
      return { ...state, paused: true };
    case "run.resumed":
      return { ...state, paused: false, resumed: true };
    case "run.killed":
      return run.active
        ? { ...state, paused: false, run: { ...run, stopping: "killed" } }
        : { ...state, paused: false, terminated: true, pending: [] };
    case "run.ended": {
      const { reason, error } = event.data;
      const ended = error === undefined ? { reason } : { reason, error };
      return {
        ...closeNow(state),
        waking: false,
        resumed: false,
        terminated: reason === "killed",
        timers: {},
        pending: reason === "killed" ? [] : state.pending,
        run: { ...run, active: false, stopping: null, stopAtSafePoint: false, ended },
      };
    }
    case "run.blocked": {
      const noticed = pushNotice(state, event.seq);
      return {
        ...noticed,
        next: "hook_blocking",
        recovery: { ...noticed.recovery, blocks: noticed.recovery.blocks + 1 },
      };
    }
  }
}

type TimerEventType = Extract<KernelEventType, `timer.${string}`>;

function reduceTimer(state: KernelState, event: Known<TimerEventType>): KernelState {
  const name = event.data.name;
  const timer = own(state.timers, name);
  switch (event.type) {
    case "timer.set":
      return {
        ...state,
        timers: { ...state.timers, [name]: { seq: event.seq, at: event.at, length: event.data.length, fired: false } },
      };
    case "timer.fired":
      return timer === undefined ? state : { ...state, timers: { ...state.timers, [name]: { ...timer, fired: true } } };
    case "timer.rearmed":
      return timer === undefined
        ? state
        : {
            ...state,
            timers: {
              ...state.timers,
              [name]: { ...timer, seq: event.seq, at: event.at, length: event.data.remaining },
            },
          };
  }
}

/** A fork inherits the history and the settings, and nothing that is in the air. Open calls are closed by the events behind it. */
function afterFork(state: KernelState, parent: string): KernelState {
  return {
    ...state,
    forkedFrom: parent,
    copied: true,
    pending: [],
    timers: {},
    paused: false,
    terminated: false,
    token: 0,
  };
}
