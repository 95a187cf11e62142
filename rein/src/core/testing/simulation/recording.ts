/** What a simulation writes down while it runs, for the invariants to look at afterwards. `order` is one counter over everything. */

import type { DriveEnd } from "../../brain/index.ts";
import type { ModelRequest, ProcessIdentity } from "../../ports.ts";
import type { Command, Composition, SessionEvent, State, StoredEvent, Verification } from "../../session/index.ts";

/** An append to a session that the store accepted. */
export interface CommitNote {
  readonly order: number;
  /** The process that made it. */
  readonly life: string;
  readonly session: string;
  readonly token: number;
  readonly from: number;
  readonly to: number;
  /** Data of the events, as they were handed over. */
  readonly data: readonly string[];
  readonly taken: readonly string[];
}

/** A lease that was given. */
export interface LeaseNote {
  readonly order: number;
  readonly life: string;
  readonly session: string;
  readonly token: number;
}

/** A change of the world by a call: the oracle for what really happened. */
export interface EffectNote {
  readonly order: number;
  readonly life: string;
  readonly session: string;
  readonly call: string;
  readonly tool: string;
  readonly readOnly: boolean;
  /** It was a process that did it, not the brain's own. */
  readonly byProcess: boolean;
}

/** A request as a model got it. */
export interface RequestNote {
  readonly order: number;
  readonly life: string;
  readonly session: string;
  readonly request: ModelRequest;
}

/** A command put into an inbox. */
export interface CommandNote {
  readonly order: number;
  readonly commandId: string;
  readonly session: string;
  readonly command: Command | null;
  /** False where the store knew this id already. */
  readonly fresh: boolean;
}

/** The end of a drive that was not crashed away. */
export interface EndNote {
  readonly order: number;
  readonly life: string;
  readonly session: string;
  readonly end: DriveEnd;
  /** Its state is that of the log: nothing failed and nobody took the session away. */
  readonly clean: boolean;
}

/** A process of a tool that someone ended as a survivor. */
export interface SurvivorNote {
  readonly order: number;
  readonly life: string;
  /** Whose recovery asked for it; the process may be another session's. */
  readonly by: string;
  readonly session: string;
  readonly identity: ProcessIdentity;
}

/** All that is written down while the simulation runs. */
export interface Notes {
  readonly commits: readonly CommitNote[];
  readonly leases: readonly LeaseNote[];
  readonly effects: readonly EffectNote[];
  readonly requests: readonly RequestNote[];
  readonly commands: readonly CommandNote[];
  readonly ends: readonly EndNote[];
  readonly survivors: readonly SurvivorNote[];
}

/** A session as it stands at the end. */
export interface SessionRecord {
  readonly session: string;
  readonly parent: string | null;
  /** Events it has from its parent. */
  readonly base: number;
  readonly stored: readonly StoredEvent[];
  readonly events: readonly SessionEvent[];
  /** `states[n]` is the state after n events. */
  readonly states: readonly State[];
  readonly final: State;
  /** Commands that still wait. */
  readonly waiting: number;
}

/** Everything an invariant may look at. */
export interface Recording extends Notes {
  readonly seed: number;
  readonly composition: Composition;
  readonly sessions: readonly SessionRecord[];
  readonly verification: Verification;
  /** Null when all sessions came to rest; else why not. */
  readonly unfinished: string | null;
}

/** Something that must hold, by name. */
export interface Invariant {
  readonly name: string;
  /** What does not hold, a sentence each. */
  readonly check: (recording: Recording) => readonly string[];
}
