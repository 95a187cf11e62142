/** Whose processes are to be ended. */
export interface EndTarget {
  /** Process group, and session, that the launcher made for itself; also its pid. */
  readonly group: number;
  /** Start time of the launcher. */
  readonly pidStart: string;
  readonly mark: string;
  /** The launcher is known to be alive, or was a moment ago: the group can't be a stranger's. */
  readonly isOwn: boolean;
}

/** What came of it. */
export interface Ended {
  readonly ended: number;
  /** Pids that are still alive. */
  readonly left: readonly number[];
}

/** Milliseconds that killed processes get to vanish. */
export const KILL_WAIT = 5_000;
/** Milliseconds between two looks. */
export const POLL = 10;
