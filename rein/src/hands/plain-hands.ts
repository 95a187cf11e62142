import { existsSync } from "node:fs";
import { lstat, opendir } from "node:fs/promises";
import { dirname } from "node:path";
import { fail, ok, type Result } from "../core/errors.ts";
import type { Permit, PermitOffice } from "../core/permit.ts";
import type { Clock, Hands, ProcessIdentity, ProcessOptions, ProcessResult, TreeReader } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import { bearsMark, childEnvironment } from "./child-environment.ts";
import { endProcesses } from "./end-processes.ts";
import { type ExecuteSources, execute } from "./execute.ts";
import type { OpenFolder } from "./open-folder.ts";
import { pathError, unusable } from "./path-error.ts";
import { readRealFile } from "./read-file.ts";
import { resolveJudged } from "./resolve-path.ts";
import { TemporaryFiles } from "./temporary-files.ts";
import { createTreeReader } from "./tree-reader.ts";
import { writeRealFile } from "./write-file.ts";

/** What plain hands are made of. */
export interface PlainHandsOptions {
  /** The office whose permits they accept. */
  readonly office: PermitOffice;
  /** For time-outs and for names nobody else has. */
  readonly clock: Clock;
  /** Where this process runs; stands in the identity of each process it starts. */
  readonly host: Pick<ProcessIdentity, "host" | "bootId" | "pidNamespace">;
  /** The surrounding environment; children get the few variables of it that programs need. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More variables for children, by name. */
  readonly pass?: Readonly<Record<string, string>>;
  /** The shell that runs a command text with `-c`; default `/bin/bash` where there is one, else `/bin/sh`. */
  readonly shell?: string;
  /** Milliseconds between TERM and KILL; default 500. */
  readonly grace?: number;
}

const DEFAULT_GRACE = 500;
/** Characters of a mark; a clock's ids have more. */
const LEAST_MARK = 16;

/**
 * Makes hands that act with all the rights of this process and contain nothing: files as they are, processes as plain
 * children. What they promise is order and an end: nothing without a permit, no process before it is announced, none
 * left behind. On other systems than Linux a process that leaves its group can't be found again.
 */
export function createPlainHands(options: PlainHandsOptions): Hands {
  return new PlainHands(options);
}

class PlainHands implements Hands {
  readonly name = "plain";
  readonly containment = "Contains nothing: files and processes are used with all the rights of this program.";
  readonly #office: PermitOffice;
  readonly #sources: ExecuteSources;
  readonly #temporary: TemporaryFiles;
  readonly #running = new Set<Promise<unknown>>();
  readonly #disposal = new AbortController();

  constructor(options: PlainHandsOptions) {
    const { host, bootId, pidNamespace } = options.host;
    this.#office = options.office;
    this.#temporary = new TemporaryFiles(options.host, options.clock);
    this.#sources = {
      clock: options.clock,
      // Only these three: what is given may know more, and all of it would enter the log.
      host: { host, bootId, pidNamespace },
      env: options.env,
      childEnv: childEnvironment(options.env, options.pass ?? {}),
      shell: options.shell ?? (existsSync("/bin/bash") ? "/bin/bash" : "/bin/sh"),
      grace: options.grace ?? DEFAULT_GRACE,
    };
  }

  async readFile(permit: Permit, effect: CallEffect & { kind: "read" }, options: { readonly maxBytes: number }) {
    const real = await this.#permitted(permit, effect, effect.path);
    return real.ok ? readRealFile(real.value.real, effect.path, options.maxBytes) : real;
  }

  async writeFile(permit: Permit, effect: CallEffect & { kind: "write" }, bytes: Uint8Array): Promise<Result<void>> {
    const real = await this.#permitted(permit, effect, effect.path);
    if (!real.ok) return real;
    const file = real.value.real;
    const opened = (folder: OpenFolder): Promise<void> => this.#temporary.sweep(dirname(file), folder);
    return writeRealFile({ real: file, named: effect.path, bytes, temporaryName: this.#temporary.newName(), opened });
  }

  async openTree(permit: Permit, effect: CallEffect & { kind: "read-tree" }): Promise<Result<TreeReader>> {
    const followed = await this.#permitted(permit, effect, effect.path);
    if (!followed.ok) return followed;
    const { real } = followed.value;
    try {
      if (!(await lstat(real)).isDirectory()) {
        return { ok: false, error: unusable(effect.path, "is not a folder", "Name a folder, or read the file.") };
      }
      await (await opendir(real)).close();
    } catch (thrown) {
      return { ok: false, error: pathError(effect.path, thrown) };
    }
    return ok(createTreeReader(real));
  }

  async execute(
    permit: Permit,
    effect: CallEffect & { kind: "execute" | "execute-argv" },
    options: ProcessOptions,
  ): Promise<Result<ProcessResult>> {
    const cwd = await this.#permitted(permit, effect, effect.cwd);
    if (!cwd.ok) return cwd;
    if (this.#disposal.signal.aborted) {
      return fail("invalid_state", "These hands have been put away.", "Make a new agent.");
    }
    const signal = AbortSignal.any([options.signal, this.#disposal.signal]);
    const running = execute({ effect, cwd: cwd.value.real, options: { ...options, signal } }, this.#sources);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  async endSurvivors(identity: ProcessIdentity): Promise<Result<{ readonly ended: number }>> {
    const { host, bootId, pidNamespace } = this.#sources.host;
    const isHere = identity.host === host && identity.bootId === bootId && identity.pidNamespace === pidNamespace;
    // A pid means nothing on another machine, in another boot or namespace: there is nobody to be found from here.
    if (!isHere) return ok({ ended: 0 });
    const { group, pidStart, mark } = identity;
    // To signal group 1 or 0 would reach everybody: such an identity is damaged or made up.
    if (!Number.isSafeInteger(group) || group <= 1 || mark.length < LEAST_MARK) {
      const message = `Process ${String(group)} is not one that can have been started here.`;
      return fail("process_failed", message, "The log may be damaged: verify it.");
    }
    if (bearsMark(this.#sources.env, mark)) {
      const message = "This program was itself started by the call whose processes are to be ended.";
      return fail("process_failed", message, "Resume the session from a terminal of its own.");
    }
    const { ended, left } = await endProcesses({ group, pidStart, mark, isOwn: false }, this.#sources.grace);
    if (left.length === 0) return ok({ ended });
    const message = `Processes of an earlier call could not be ended: ${left.join(", ")}.`;
    return fail("process_failed", message, "End them by hand; they may belong to another user.");
  }

  async dispose(): Promise<void> {
    this.#disposal.abort();
    await Promise.allSettled(this.#running);
  }

  /** The permit checked and the path followed: both before anything is touched. */
  async #permitted(permit: Permit, effect: CallEffect, path: string): Promise<Result<{ readonly real: string }>> {
    const checked = this.#office.check(permit, effect);
    return checked.ok ? resolveJudged(path, permit.real) : checked;
  }
}
