import type { InboxEntry } from "../../core/session/index.ts";

interface SessionInbox {
  /** By command id, oldest first. */
  readonly waiting: Map<string, InboxEntry>;
  readonly taken: string[];
  /** Due times by name. */
  readonly wakes: Map<string, number>;
}

type Wake = { readonly session: string; readonly name: string; readonly at: number | null };

/** Commands and wakes that wait for the holder of a session. A command id is known for as long as its session lives. */
export class Inboxes {
  readonly #sessions = new Map<string, SessionInbox>();
  readonly #sessionOfCommand = new Map<string, string>();

  isKnown(commandId: string): boolean {
    return this.#sessionOfCommand.has(commandId);
  }

  /** The session for which a command waits; undefined when it is unknown or was taken. */
  waitsFor(commandId: string): string | undefined {
    const session = this.#sessionOfCommand.get(commandId);
    if (session === undefined) return undefined;
    return this.#sessions.get(session)?.waiting.has(commandId) ? session : undefined;
  }

  put(entry: InboxEntry): void {
    this.#sessionOfCommand.set(entry.commandId, entry.session);
    this.#of(entry.session).waiting.set(entry.commandId, entry);
  }

  take(commandId: string): void {
    const session = this.#sessionOfCommand.get(commandId);
    if (session === undefined) return;
    const inbox = this.#of(session);
    if (inbox.waiting.delete(commandId)) inbox.taken.push(commandId);
  }

  waiting(session: string): readonly InboxEntry[] {
    return [...(this.#sessions.get(session)?.waiting.values() ?? [])];
  }

  count(session: string): number {
    return this.#sessions.get(session)?.waiting.size ?? 0;
  }

  wake({ session, name, at }: Wake): void {
    if (at === null) this.#sessions.get(session)?.wakes.delete(name);
    else this.#of(session).wakes.set(name, at);
  }

  /** Names of the wakes of a session that are due, as they stand or as they would stand after `changes`. */
  dueWakes(session: string, now: number, changes: readonly Wake[] = []): readonly string[] {
    const wakes = new Map<string, number | null>(this.#sessions.get(session)?.wakes);
    for (const change of changes) if (change.session === session) wakes.set(change.name, change.at);
    return [...wakes].filter(([, at]) => at !== null && at <= now).map(([name]) => name);
  }

  /** Sessions for which a command waits or a wake is due. */
  wanting(now: number): readonly string[] {
    const sessions = [...this.#sessions];
    return sessions
      .filter(([, { waiting, wakes }]) => waiting.size > 0 || [...wakes.values()].some((at) => at <= now))
      .map(([session]) => session);
  }

  /** Forgets a session; false when nothing was known of it. */
  drop(session: string): boolean {
    const inbox = this.#sessions.get(session);
    if (inbox === undefined) return false;
    for (const commandId of inbox.waiting.keys()) this.#sessionOfCommand.delete(commandId);
    for (const commandId of inbox.taken) this.#sessionOfCommand.delete(commandId);
    return this.#sessions.delete(session);
  }

  #of(session: string): SessionInbox {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const inbox: SessionInbox = { waiting: new Map(), taken: [], wakes: new Map() };
    this.#sessions.set(session, inbox);
    return inbox;
  }
}
