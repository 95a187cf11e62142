/** The real command as a child process, for tests: as it is built, with a home of its own and no terminal. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { inject, onTestFinished } from "vitest";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const COMMAND = inject("command");

/** How a process ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A temporary folder that goes with the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rein-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** A copy of the repository that the README's main job examines. */
export function inventoryCopy(): string {
  const folder = join(scratchFolder(), "inventory");
  // Whoever has tried the README's first command has a report there.
  const report = join(ROOT, "examples/inventory/report");
  cpSync(join(ROOT, "examples/inventory"), folder, { recursive: true, filter: (source) => source !== report });
  return folder;
}

/** Resolves once the file is there. */
export async function fileAt(path: string): Promise<void> {
  while (!existsSync(path)) await setTimeout(20);
}

/** A home, and the command in it. */
export class ReinHome {
  readonly home = scratchFolder();
  readonly store = join(this.home, "sessions.db");

  /** Runs the command to its end. */
  run(args: readonly string[], stdin = ""): Promise<Ended> {
    const running = this.start(args);
    running.child.stdin.end(stdin);
    return running.ended;
  }

  /** Starts the command with its input open; it is ended with the test. */
  start(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningRein {
    const running = new RunningRein(args, { REIN_HOME: this.home, ...env });
    onTestFinished(() => void running.child.kill("SIGKILL"));
    return running;
  }

  /** The events of a session. */
  async events(session: string): Promise<readonly LoggedEvent[]> {
    const { stdout, stderr, code } = await this.run(["log", session, "--json"]);
    if (code !== 0) throw new Error(`rein log ended with ${code}: ${stderr}`);
    return stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  }
}

/** An event as `rein log --json` prints it. */
export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** The command while it runs. */
export class RunningRein {
  readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly ended: Promise<Ended>;
  #stdout = "";
  #stderr = "";
  #look: () => void = () => undefined;

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    this.child = spawn(process.execPath, [join(COMMAND, "dist/rein.js"), ...args], {
      cwd: ROOT,
      stdio: ["pipe", "pipe", "pipe"],
      // What npm sets would change the hints; what vitest sets concerns its own process only.
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NODE_COMPILE_CACHE: join(COMMAND, "compiled"), ...env },
    });
    this.child.stdin.on("error", () => this.#look());
    this.child.stdout.setEncoding("utf8").on("data", (text: string) => {
      this.#stdout += text;
      this.#look();
    });
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => {
      this.#stderr += text;
      this.#look();
    });
    this.ended = new Promise((resolve) => {
      this.child.on("close", (code) => {
        this.#look();
        resolve({ code, stdout: this.#stdout, stderr: this.#stderr });
      });
    });
  }

  /** Resolves once standard error holds the text; fails when the command ends without it. */
  async saysOnError(text: string): Promise<void> {
    while (!this.#stderr.includes(text)) {
      if (this.child.exitCode !== null || this.child.signalCode !== null) {
        throw new Error(`It ended without saying ${JSON.stringify(text)}:\n${this.#stderr}`);
      }
      await new Promise<void>((resolve) => {
        this.#look = resolve;
      });
    }
  }
}
