import type { KernelEventType, SessionEvent } from "rein";
import { oneLine } from "./one-line.ts";

/** What is shown of an event's data, field by field. */
const SHOWN: Readonly<Record<KernelEventType, readonly string[]>> = {
  "session.created": ["parent", "settings"],
  "session.forked": ["parent", "seq"],
  "session.imported": ["from", "lost"],
  "brain.woke": ["how", "token"],
  "settings.changed": ["change"],
  "input.received": ["mode", "content"],
  "command.refused": ["kind", "call", "reason"],
  "run.started": ["run"],
  "run.interrupted": ["by"],
  "run.stopped": [],
  "run.paused": [],
  "run.resumed": [],
  "run.killed": ["reason"],
  "run.ended": ["run", "reason", "error"],
  "run.blocked": ["source", "text"],
  "model.requested": ["turn", "attempt", "model", "transition"],
  "model.responded": ["turn", "stop", "usage", "content"],
  "model.failed": ["turn", "attempt", "retryAfter", "error"],
  "model.interrupted": ["turn", "by", "text"],
  "notice.added": ["kind", "text"],
  "call.judged": ["call", "decision", "policy", "reason"],
  "approval.requested": ["call", "shows"],
  "approval.answered": ["call", "answer", "note"],
  "tool.started": ["call", "attempt"],
  "process.started": ["call", "pid", "group"],
  "tool.requeued": ["call"],
  "tool.finished": ["call", "outcome", "errorType", "duration", "content"],
  "context.captured": ["source", "size", "blob"],
  "tools.changed": ["names", "blob"],
  "history.compacted": ["items", "summary"],
  "goal.measured": ["turn", "value"],
  "timer.set": ["name", "length"],
  "timer.fired": ["name"],
  "timer.rearmed": ["name", "remaining"],
  "store.lost": ["from", "to", "message"],
  "effect.failed": ["id", "kind", "error"],
};

/** An event as one line: place, time, type, and what its data says. */
export function eventLine({ seq, at, type, data }: SessionEvent): string {
  const time = new Date(at).toISOString().slice(11, 23);
  return `${String(seq).padStart(6)}  ${time}  ${type.padEnd(18)}  ${dataText(type, data)}`.trimEnd();
}

function dataText(type: string, data: unknown): string {
  if (data === undefined) return "(erased)";
  const fields: Readonly<Record<string, readonly string[]>> = SHOWN;
  if (!Object.hasOwn(fields, type) || !isRecord(data)) return oneLine(JSON.stringify(data), 160);
  const shown = fields[type]?.filter((field) => Object.hasOwn(data, field)) ?? [];
  return shown.map((field) => `${field}=${valueText(field, data[field])}`).join(" ");
}

function valueText(field: string, value: unknown): string {
  if (typeof value === "number") return String(Math.round(value * 100) / 100);
  if (field === "content" && Array.isArray(value)) return value.map(blockText).join(" ");
  return oneLine(typeof value === "string" ? value : JSON.stringify(value), 160);
}

function blockText(block: unknown): string {
  if (!isRecord(block)) return "?";
  const { type, text, name, input } = block;
  if (typeof text === "string") return JSON.stringify(oneLine(text, 80));
  return typeof name === "string" ? `${name}(${oneLine(JSON.stringify(input), 80)})` : `[${String(type)}]`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
