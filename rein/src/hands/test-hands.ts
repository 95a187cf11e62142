import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { ok } from "../core/errors.ts";
import { createPermitOffice, type Permit } from "../core/permit.ts";
import type { Clock, ProcessIdentity, ProcessOptions } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import { createPlainHands, type PlainHandsOptions } from "./plain-hands.ts";

/** Real hands for tests, with an office that signs whatever is asked. */
export function testHands(more: Partial<PlainHandsOptions> = {}) {
  const office = createPermitOffice();
  const hands = createPlainHands({ office, clock: testClock, host: owner, env: process.env, grace: 100, ...more });
  const permit = (effect: CallEffect, real?: string): Permit => office.mint("1:0", effect, real);

  return {
    hands,
    permit,
    read: (path: string, maxBytes = 1_000_000) => {
      const effect = { kind: "read", path } as const;
      return hands.readFile(permit(effect), effect, { maxBytes });
    },
    write: (path: string, text: string | Uint8Array) => {
      const effect = { kind: "write", path } as const;
      return hands.writeFile(permit(effect), effect, typeof text === "string" ? Buffer.from(text) : text);
    },
    tree: (path: string) => {
      const effect = { kind: "read-tree", path } as const;
      return hands.openTree(permit(effect), effect);
    },
    run: (command: string, options: Partial<ProcessOptions> = {}, cwd = "/tmp") => {
      const effect = { kind: "execute", command, cwd } as const;
      return hands.execute(permit(effect), effect, { ...runOptions(), ...options });
    },
    runArgv: (argv: readonly string[], options: Partial<ProcessOptions> = {}, cwd = "/tmp") => {
      const effect = { kind: "execute-argv", argv, cwd } as const;
      return hands.execute(permit(effect), effect, { ...runOptions(), ...options });
    },
  };
}

/** Where the tests run, as an identity says it. */
export const testHost: Pick<ProcessIdentity, "host" | "bootId" | "pidNamespace"> = {
  host: "test-host",
  bootId: "test-boot",
  pidNamespace: "test-namespace",
};

/** What an agent gives knows more than an identity says. */
const owner = { ...testHost, pid: 1, startTime: "1" };

const testClock: Clock = {
  now: () => 0,
  monotonic: () => 0,
  sleep: async (ms, signal) => {
    const over = signal === undefined ? {} : { signal };
    await sleep(ms, undefined, over).catch((thrown: unknown) => {
      if (signal?.aborted !== true) throw thrown;
    });
  },
  id: () => randomUUID(),
  random: () => 0.5,
};

function runOptions(): ProcessOptions {
  return { signal: new AbortController().signal, timeout: 20_000, announce: async () => ok(undefined) };
}
