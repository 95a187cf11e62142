/** Walks a trace: whether a sync came between each intent and its effect, and what syncs there were. */
import type { SystemCall } from "./read-trace.ts";

/** What a trace shows. */
export interface Findings {
  /** A sentence for each effect that began before its intent was safe, and each barrier that came back before its sync. */
  readonly faults: readonly string[];
  /** Effects that were seen. */
  readonly effects: number;
  /** Commits that asked for a sync. */
  readonly barriers: number;
  /** Syncs of the store's files between the first commit and the close, it included. */
  readonly syncs: number;
  /** Times the WAL was moved into the database. */
  readonly checkpoints: number;
}

interface OpenCommit {
  readonly n: string;
  readonly barrier: boolean;
  readonly intents: readonly string[];
  written: boolean;
  safe: boolean;
}

const SYNCS = ["fsync", "fdatasync"];
const WRITES = ["pwrite64", "pwritev", "pwritev2", "write", "writev"];

/** Looks through the calls of a traced session. */
export function look(calls: readonly SystemCall[]): Findings {
  const walk = new Walk();
  for (const call of calls) walk.step(call);
  const { faults, effects, barriers, syncs, checkpoints } = walk;
  return { faults, effects, barriers, syncs, checkpoints };
}

class Walk {
  readonly faults: string[] = [];
  effects = 0;
  barriers = 0;
  syncs = 0;
  checkpoints = 0;
  readonly #commits: OpenCommit[] = [];
  #now: OpenCommit | null = null;
  #begun = false;
  #inCheckpoint = false;

  step({ name, path, text, ok }: SystemCall): void {
    if (!ok) return;
    if (WRITES.includes(name) && path.endsWith("/marks"))
      for (const line of text.trimEnd().split("\n")) this.#mark(line);
    else if (WRITES.includes(name) && path.endsWith("/sessions.db-wal")) this.#wroteWal();
    else if (WRITES.includes(name) && path.endsWith("/sessions.db")) this.#wroteDatabase();
    else if (SYNCS.includes(name) && path.includes("/sessions.db")) this.#synced(path);
  }

  #mark(line: string): void {
    const [what = "", ...rest] = line.split("\t");
    if (what === "begin") this.#begin(rest);
    else if (what === "end") this.#end();
    else if (what.startsWith("effect ")) this.#effect(what.slice("effect ".length));
  }

  #begin([n = "", durability = "", ...intents]: readonly string[]): void {
    this.#begun = true;
    this.#now = { n, barrier: durability === "barrier", intents, written: false, safe: false };
    this.#commits.push(this.#now);
    if (this.#now.barrier) this.barriers += 1;
  }

  #end(): void {
    if (this.#now?.barrier === true && !this.#now.safe)
      this.faults.push(`Commit ${this.#now.n} came back before its sync.`);
    this.#now = null;
  }

  #effect(effect: string): void {
    this.effects += 1;
    const intent = this.#commits.findLast(({ intents }) => intents.includes(effect));
    if (intent === undefined) this.faults.push(`${effect} began and had not been announced.`);
    else if (!intent.safe) this.faults.push(`${effect} began before its intent was synced.`);
  }

  #wroteWal(): void {
    this.#inCheckpoint = false;
    if (this.#now !== null) Object.assign(this.#now, { written: true, safe: false });
  }

  #wroteDatabase(): void {
    if (this.#begun && !this.#inCheckpoint) this.checkpoints += 1;
    this.#inCheckpoint = true;
  }

  #synced(path: string): void {
    if (this.#begun) this.syncs += 1;
    if (!path.endsWith("/sessions.db-wal")) return;
    for (const commit of this.#commits) if (commit.written) commit.safe = true;
  }
}
