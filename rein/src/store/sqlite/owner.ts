/**
 * Which process is which. A pid alone is not enough: it is reused, it means nothing in another pid namespace, and all of
 * them are void after a boot. Linux tells everything in /proc (proc(5): field 22 of `stat` is the start time in clock
 * ticks after boot, `ns/pid` names the namespace). Elsewhere the boot is told by its minute, and the start time is
 * unknown, so a reused pid looks alive and only expiry ends its lease.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, uptime } from "node:os";
import type { Owner } from "../../core/session/index.ts";

const UNKNOWN = "unknown";

let self: Owner | undefined;

/** This process, as the owner of leases. The same values for as long as it runs. */
export function currentOwner(): Owner {
  self ??= {
    host: hostname(),
    bootId: bootId(),
    pidNamespace: pidNamespace(),
    pid: process.pid,
    startTime: startTimeOf(process.pid) ?? UNKNOWN,
  };
  return self;
}

/** What this process knows of another: `unknown` when it lives in another pid namespace, on another host or before another boot. */
export function livenessOf(owner: Owner, me: Owner = currentOwner()): "alive" | "dead" | "unknown" {
  if (owner.bootId !== me.bootId || owner.pidNamespace !== me.pidNamespace || me.pidNamespace === UNKNOWN)
    return "unknown";
  // Boot ids of Linux are random and so differ between hosts; minutes of a boot may agree.
  if (process.platform !== "linux" && owner.host !== me.host) return "unknown";
  return startTimeOf(owner.pid) === owner.startTime ? "alive" : "dead";
}

function bootId(): string {
  const id = process.platform === "linux" ? readProc("/proc/sys/kernel/random/boot_id") : null;
  return id ?? `minute-${Math.round((Date.now() / 1000 - uptime()) / 60)}`;
}

function pidNamespace(): string {
  if (process.platform !== "linux") return process.platform;
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch (cause) {
    if (isSystemError(cause)) return UNKNOWN;
    throw cause;
  }
}

/** When a process started, in the system's own unit; null when there is no such process (a zombie counts as gone). */
function startTimeOf(pid: number): string | null {
  if (process.platform !== "linux") return exists(pid) ? UNKNOWN : null;
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The second field is the program's name in parentheses and may itself hold blanks and parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields[0] === "Z" || fields[0] === "X" ? null : (fields[19] ?? UNKNOWN);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (cause) {
    if (isSystemError(cause)) return cause.code === "EPERM";
    throw cause;
  }
}

function readProc(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (cause) {
    if (isSystemError(cause)) return null;
    throw cause;
  }
}

function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && "code" in thrown && typeof thrown.code === "string";
}
