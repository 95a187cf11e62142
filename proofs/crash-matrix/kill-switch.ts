/** Ends this very process by SIGKILL at one point, and notes what was under way. */
import { existsSync, realpathSync } from "node:fs";
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { basename, dirname, join, relative } from "node:path";
import type { Commit, Model, ModelRequest, ModelStreamPart, Result, Store } from "rein";
import { aroundStore } from "../shared/around-store.ts";
import { note } from "../shared/json-lines.ts";
import type { Point, Side } from "./points.ts";
import { JOURNAL } from "./task.ts";

/** Where the proof keeps what a life says of itself. */
export interface LifeFiles {
  /** The workspace. */
  readonly work: string;
  /** {@link Told}. */
  readonly told: string;
  readonly requests: string;
  /** {@link Streamed}. */
  readonly streamed: string;
}

/** What a life notes before and after each commit, and when it dies. */
export type Told =
  | { readonly life: number; readonly what: "asks"; readonly commit: number | null; readonly types: readonly string[] }
  /** `seq`: newest event that the store said it has. */
  | { readonly life: number; readonly what: "has"; readonly commit: number | null; readonly seq: number | null }
  /** `late`: milliseconds by which timers were behind. */
  | { readonly life: number; readonly what: "dies"; readonly at: number; readonly late: number };

/** A piece of text the model has streamed, and when (milliseconds of that life). */
export interface Streamed {
  readonly life: number;
  /** Turn and attempt: `1.1`. */
  readonly message: string;
  readonly text: string;
  readonly at: number;
}

/** Called before a commit goes to the store. */
type BeforeCommit = (commit: Commit) => void;

/** Milliseconds between two looks at how late timers are. */
const BEAT = 2;

/** One life's way to die. */
export class KillSwitch {
  readonly #point: Point | null;
  readonly #life: number;
  readonly #files: LifeFiles;
  readonly #counts = { commit: 0, scratch: 0 };
  #deltas = 0;
  /** When timers were last looked at, and how late the newest of ours was (milliseconds). */
  #looked = performance.now();
  #late = 0;

  constructor(point: Point | null, life: number, files: LifeFiles) {
    this.#point = point;
    this.#life = life;
    this.#files = files;
    if (point?.at === "file") this.#whenFileAppears(join(files.work, point.file), point.wait);
    this.#watchFiles();
    // What this beat is behind, every timer of the same moment is: those of the driver too.
    setInterval(() => this.#look(performance.now() - this.#looked - BEAT), BEAT).unref();
  }

  #look(late: number): void {
    this.#looked = performance.now();
    this.#late = Math.max(0, late);
  }

  #die(): never {
    const at = performance.now();
    const late = this.#late + at - this.#looked;
    note(this.#files.told, { life: this.#life, what: "dies", at, late } satisfies Told);
    process.kill(process.pid, "SIGKILL");
    throw new Error("a process outlived its SIGKILL");
  }

  /** The store, with death at the borders of its writes. */
  store(store: Store, beforeCommit: BeforeCommit): Store {
    return aroundStore(store, {
      commit: (commit) => this.#commit(store, commit, beforeCommit),
      acquire: async (...args) => {
        this.#atSide("acquire", "before");
        const lease = await store.acquire(...args);
        this.#atSide("acquire", "after");
        return lease;
      },
    });
  }

  /** A model whose stream can be cut by death. */
  model(model: Model): Model {
    return {
      id: model.id,
      capabilities: (name) => model.capabilities(name),
      stream: (request, signal) => this.#stream(model, request, signal),
    };
  }

  /** The effect of an own tool is about to happen, or has happened. */
  note(name: string, side: Side): void {
    const point = this.#point;
    if (point?.at === "note" && point.name === name && point.side === side) this.#die();
  }

  #atSide(at: "acquire", side: Side): void {
    if (this.#point?.at === at && this.#point.side === side) this.#die();
  }

  async #commit(store: Store, commit: Commit, beforeCommit: BeforeCommit): ReturnType<Store["commit"]> {
    const isScratch = commit.appends === undefined && commit.release === undefined;
    const at = isScratch ? "scratch" : "commit";
    this.#counts[at] += 1;
    const n = this.#counts[at];
    const place = { life: this.#life, commit: isScratch ? null : n };
    const types = commit.appends?.flatMap(({ events }) => events.map(({ type }) => type)) ?? [];
    note(this.#files.told, { ...place, what: "asks", types } satisfies Told);
    beforeCommit(commit);
    const dies = (side: Side): boolean => {
      const point = this.#point;
      if (point?.at === "commit-of") return point.side === side && types.includes(point.type);
      return point?.at === at && point.n === n && point.side === side;
    };
    if (dies("before")) this.#die();
    const committed = await store.commit(commit);
    note(this.#files.told, { ...place, what: "has", seq: newestSeq(committed) } satisfies Told);
    if (dies("after")) this.#die();
    return committed;
  }

  async *#stream(model: Model, request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelStreamPart> {
    note(this.#files.requests, request);
    for await (const part of model.stream(request, signal)) {
      if (part.type === "text_delta")
        await this.#beforeDelta(`${request.trace.turn}.${request.trace.attempt}`, part.text);
      yield part;
    }
  }

  /** Behind the delta before this one, which the driver has taken by now. */
  async #beforeDelta(message: string, text: string): Promise<void> {
    const point = this.#point;
    if (point?.at === "stream" && point.deltas === this.#deltas) {
      this.#dieIn(point.wait);
      await new Promise(() => undefined);
    }
    if (point?.at === "flow" && this.#deltas === 0) this.#dieIn(point.wait);
    this.#deltas += 1;
    // Quick enough not to hold up the other points, slow enough for text to be kept at least once.
    await new Promise<void>((resolve) => this.#after(point?.at === "flow" ? 25 : 8, resolve));
    note(this.#files.streamed, { life: this.#life, message, text, at: performance.now() } satisfies Streamed);
  }

  #dieIn(ms: number): void {
    this.#after(ms, () => this.#die());
  }

  #after(ms: number, then: () => void): void {
    const due = performance.now() + ms;
    setTimeout(() => {
      this.#look(performance.now() - due);
      then();
    }, ms);
  }

  #whenFileAppears(file: string, wait: number): void {
    const look = setInterval(() => {
      if (!existsSync(file)) return;
      clearInterval(look);
      this.#dieIn(wait);
    }, 5);
    look.unref();
  }

  /** Puts death into the file functions themselves, below everything that is proven. */
  #watchFiles(): void {
    const { open, rename } = fs;
    const point = this.#point;
    // A write reaches its file through the open folder, whose own name leads back to it.
    const inWork = (path: unknown): string => {
      const folder = dirname(String(path));
      const real = existsSync(folder) ? realpathSync(folder) : folder;
      return relative(this.#files.work, join(real, basename(String(path))));
    };
    fs.open = async (path, ...rest) => {
      const handle = await open(path, ...rest);
      if (point?.at !== "read" || inWork(path) !== point.file) return handle;
      if (point.side === "before") this.#die();
      return this.#dyingReader(handle);
    };
    fs.rename = async (from, to) => {
      const file = inWork(to);
      // Noted first: a write that is under way twice shows, whether or not it came to its end.
      note(join(this.#files.work, JOURNAL), `write ${file}`);
      const dies = point?.at === "rename" && point.file === file ? point.side : null;
      if (dies === "before") this.#die();
      await rename(from, to);
      if (dies === "after") this.#die();
    };
    syncBuiltinESMExports();
  }

  #dyingReader(handle: FileHandle): FileHandle {
    const read = handle.read.bind(handle);
    return Object.assign(handle, {
      read: async (buffer: Buffer, ...rest: number[]) => {
        await read(buffer, ...rest);
        this.#die();
      },
    });
  }
}

function newestSeq(committed: Result<{ readonly seqs: Readonly<Record<string, number>> }>): number | null {
  return committed.ok ? (Object.values(committed.value.seqs)[0] ?? null) : null;
}
