import { resolve } from "node:path";
import { fail, type Result } from "../core/errors.ts";
import { effectDigest, type Permit } from "../core/permit.ts";
import type { CallContext, Hands, ProcessOptions, ProcessResult } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import type { StopSignal } from "../core/stop-signal.ts";
import type { CommandOptions, ToolHands } from "./tool-context.ts";

/** Bytes read of a file when the tool names none. Source: `file size`, docs/architecture.md. */
const MOST_BYTES = 10 * 1024 * 1024;

/** What a call's hands are made of. */
export interface PermittedHands {
  readonly hands: Hands;
  readonly permits: readonly Permit[];
  readonly folder: string;
  readonly tool: string;
  /** Aborts when the call is over, however it ended. */
  readonly stop: StopSignal;
  /** Milliseconds a process may take when the tool names none. */
  readonly timeout: number;
  readonly announce: CallContext["announce"];
  readonly onOutput: NonNullable<ProcessOptions["onOutput"]>;
}

/** The hands of one call: finds for each effect the permit that was minted for it. */
export function permittedHands(made: PermittedHands): ToolHands {
  const { hands, folder, stop } = made;
  const at = (path: string): string => resolve(folder, path);
  const byDigest = new Map(made.permits.map((permit) => [permit.digest, permit]));

  const withPermit = async <T>(effect: CallEffect, act: (permit: Permit) => Promise<Result<T>>): Promise<Result<T>> => {
    if (stop.aborted)
      return fail(
        "aborted",
        `The call of \`${made.tool}\` is over.`,
        "Nothing was done; do not act after the end of a call.",
      );
    const permit = byDigest.get(effectDigest(effect));
    return permit === undefined ? undeclared(made.tool, effect) : act(permit);
  };
  const process = (options: CommandOptions): ProcessOptions => ({
    signal: stop.signal,
    timeout: options.timeout ?? made.timeout,
    announce: made.announce,
    onOutput: options.onOutput ?? made.onOutput,
    ...(options.stdin === undefined ? {} : { stdin: options.stdin }),
    ...(options.maxOutput === undefined ? {} : { maxOutput: options.maxOutput }),
  });

  return {
    readFile(path, options = {}) {
      const effect = { kind: "read", path: at(path) } as const;
      return withPermit(effect, (permit) =>
        hands.readFile(permit, effect, { maxBytes: options.maxBytes ?? MOST_BYTES }),
      );
    },
    writeFile(path, content) {
      const effect = { kind: "write", path: at(path) } as const;
      const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
      return withPermit(effect, (permit) => hands.writeFile(permit, effect, bytes));
    },
    openTree(path) {
      const effect = { kind: "read-tree", path: at(path) } as const;
      return withPermit(effect, (permit) => hands.openTree(permit, effect));
    },
    execute(command, options = {}): Promise<Result<ProcessResult>> {
      const effect = { kind: "execute", command, cwd: at(options.cwd ?? ".") } as const;
      return withPermit(effect, (permit) => hands.execute(permit, effect, process(options)));
    },
    executeArgv(argv, options = {}): Promise<Result<ProcessResult>> {
      const effect = { kind: "execute-argv", argv, cwd: at(options.cwd ?? ".") } as const;
      return withPermit(effect, (permit) => hands.execute(permit, effect, process(options)));
    },
  };
}

function undeclared(tool: string, effect: CallEffect): Result<never> {
  return fail(
    "permit_missing",
    `\`${tool}\` was about to do what it had not declared: ${describe(effect)}.`,
    "This is a fault of the tool: its `effects` must name each effect exactly as it is carried out.",
  );
}

function describe(effect: CallEffect): string {
  switch (effect.kind) {
    case "read":
    case "read-tree":
    case "write":
      return `${effect.kind} ${effect.path}`;
    case "execute":
      return `execute ${effect.command}`;
    case "execute-argv":
      return `execute ${effect.argv.join(" ")}`;
    case "connect":
      return `connect to ${effect.host}:${effect.port}`;
    case "state":
      return `change ${effect.what}`;
  }
}
