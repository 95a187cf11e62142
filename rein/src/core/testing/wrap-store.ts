import type { Result } from "../errors.ts";
import type { Commit, Lease, Owner, Snapshot, Store, StoreChange } from "../session/store.ts";

/** The methods of a store that answer with a result. */
export type StoreMethod = Exclude<keyof Store, "name" | "watch" | "now">;

/** What a wrapped store does around the one it wraps. */
export interface StoreWrapper {
  /** Called in place of each method; `run` is the method itself, `commit` what it commits, if it does. */
  readonly around: <T>(method: StoreMethod, run: () => Promise<Result<T>>, commit?: Commit) => Promise<Result<T>>;
  /** In place of `watch`. */
  readonly watch?: (listener: (change: StoreChange) => void) => () => void;
  readonly now?: () => number;
}

const inner = new WeakMap<Store, Store>();

/** A store around another one: for tests that look at what passes, or spoil it. */
export function wrapStore(store: Store, wrapper: StoreWrapper): Store {
  const { around } = wrapper;
  const wrapped: Store = {
    name: store.name,
    commit: (commit) => around("commit", () => store.commit(commit), commit),
    read: (stream, range) => around("read", () => store.read(stream, range)),
    head: (stream) => around("head", () => store.head(stream)),
    sessions: (query) => around("sessions", () => store.sessions(query)),
    session: (session) => around("session", () => store.session(session)),
    inbox: (session) => around("inbox", () => store.inbox(session)),
    wakeable: () => around("wakeable", () => store.wakeable()),
    dueWakes: (session) => around("dueWakes", () => store.dueWakes(session)),
    acquire: (session: string, owner: Owner, ttl: number, options?: { readonly steal?: boolean }) =>
      around("acquire", () => store.acquire(session, owner, ttl, options)),
    renew: (lease: Lease, ttl: number) => around("renew", () => store.renew(lease, ttl)),
    fork: (parent, seq, child) => around("fork", () => store.fork(parent, seq, child)),
    erase: (session, seq, options) => around("erase", () => store.erase(session, seq, options)),
    remove: (session) => around("remove", () => store.remove(session)),
    blob: (hash) => around("blob", () => store.blob(hash)),
    blobs: (session) => around("blobs", () => store.blobs(session)),
    scratch: (session) => around("scratch", () => store.scratch(session)),
    cursor: (name, stream) => around("cursor", () => store.cursor(name, stream)),
    setCursor: (name, stream, seq) => around("setCursor", () => store.setCursor(name, stream, seq)),
    snapshot: (session) => around("snapshot", () => store.snapshot(session)),
    saveSnapshot: (session: string, snapshot: Snapshot) =>
      around("saveSnapshot", () => store.saveSnapshot(session, snapshot)),
    counter: (scope) => around("counter", () => store.counter(scope)),
    claim: (queue, owner, ttl) => around("claim", () => store.claim(queue, owner, ttl)),
    finish: (job) => around("finish", () => store.finish(job)),
    verify: (stream) => around("verify", () => store.verify(stream)),
    losses: () => around("losses", () => store.losses()),
    acknowledgeLoss: () => around("acknowledgeLoss", () => store.acknowledgeLoss()),
    watch: wrapper.watch ?? ((listener) => store.watch(listener)),
    now: wrapper.now ?? (() => store.now()),
    close: () => around("close", () => store.close()),
  };
  inner.set(wrapped, store);
  return wrapped;
}

/** The store at the bottom of a wrapped one; any other store is its own. */
export function innermostStore(store: Store): Store {
  let bottom = store;
  for (let next = inner.get(bottom); next !== undefined; next = inner.get(bottom)) bottom = next;
  return bottom;
}
