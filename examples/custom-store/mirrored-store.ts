import { appendFileSync } from "node:fs";
import { type Append, type Commit, fail, ok, type Result, type Store } from "rein";

/**
 * A store that does what another one does and writes each committed event as a line of JSON into a file, for people and programs that follow it
 * (`tail -f`). The file is a copy to look at, never read back: when it cannot be written, the commit stands and `faults` says so.
 */
export class MirroredStore implements Store {
  readonly name: string;
  /** What kept a commit from being mirrored, newest last. */
  readonly faults: Result<never>[] = [];
  readonly #store: Store;
  readonly #file: string;

  constructor(store: Store, file: string) {
    this.#store = store;
    this.#file = file;
    this.name = `${store.name}, mirrored to ${file}`;
  }

  async commit(commit: Commit): ReturnType<Store["commit"]> {
    const committed = await this.#store.commit(commit);
    // Only what was taken is shown; a refused commit has changed nothing.
    if (committed.ok && commit.appends !== undefined) {
      const mirrored = this.#mirror(commit.appends, committed.value.seqs);
      if (!mirrored.ok) this.faults.push(mirrored);
    }
    return committed;
  }

  #mirror(appends: readonly Append[], seqs: Readonly<Record<string, number>>): Result<void> {
    const newest = new Map(Object.entries(seqs));
    const lines: string[] = [];
    // From the back, because a commit may append to one stream more than once and says only where each stream ended.
    for (const { stream, events } of appends.toReversed()) {
      let seq = newest.get(stream) ?? 0;
      for (const { type, at, data } of events.toReversed()) {
        lines.unshift(
          `{"stream":${JSON.stringify(stream)},"seq":${seq},"type":${JSON.stringify(type)},"at":${at},"data":${data}}\n`,
        );
        seq -= 1;
      }
      newest.set(stream, seq);
    }
    try {
      appendFileSync(this.#file, lines.join(""));
      return ok(undefined);
    } catch (cause) {
      return fail("store_io", `${this.#file} could not be written.`, "Check the disk; the store itself is intact.", {
        cause,
      });
    }
  }

  // Everything else is the other store's.
  read: Store["read"] = (...args) => this.#store.read(...args);
  head: Store["head"] = (...args) => this.#store.head(...args);
  sessions: Store["sessions"] = (...args) => this.#store.sessions(...args);
  session: Store["session"] = (...args) => this.#store.session(...args);
  inbox: Store["inbox"] = (...args) => this.#store.inbox(...args);
  wakeable: Store["wakeable"] = () => this.#store.wakeable();
  dueWakes: Store["dueWakes"] = (...args) => this.#store.dueWakes(...args);
  acquire: Store["acquire"] = (...args) => this.#store.acquire(...args);
  renew: Store["renew"] = (...args) => this.#store.renew(...args);
  fork: Store["fork"] = (...args) => this.#store.fork(...args);
  erase: Store["erase"] = (...args) => this.#store.erase(...args);
  remove: Store["remove"] = (...args) => this.#store.remove(...args);
  blob: Store["blob"] = (...args) => this.#store.blob(...args);
  blobs: Store["blobs"] = (...args) => this.#store.blobs(...args);
  scratch: Store["scratch"] = (...args) => this.#store.scratch(...args);
  cursor: Store["cursor"] = (...args) => this.#store.cursor(...args);
  setCursor: Store["setCursor"] = (...args) => this.#store.setCursor(...args);
  snapshot: Store["snapshot"] = (...args) => this.#store.snapshot(...args);
  saveSnapshot: Store["saveSnapshot"] = (...args) => this.#store.saveSnapshot(...args);
  counter: Store["counter"] = (...args) => this.#store.counter(...args);
  claim: Store["claim"] = (...args) => this.#store.claim(...args);
  finish: Store["finish"] = (...args) => this.#store.finish(...args);
  verify: Store["verify"] = (...args) => this.#store.verify(...args);
  losses: Store["losses"] = () => this.#store.losses();
  acknowledgeLoss: Store["acknowledgeLoss"] = () => this.#store.acknowledgeLoss();
  watch: Store["watch"] = (...args) => this.#store.watch(...args);
  now: Store["now"] = () => this.#store.now();
  close: Store["close"] = () => this.#store.close();
}
