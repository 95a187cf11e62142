/** A bug put into a copy of the sources, to see the simulation find it. */
export interface PlantedBug {
  /** What goes wrong with it. */
  readonly bug: string;
  /** The invariant that must tell it. */
  readonly invariant: string;
  /** From `rein/src`. */
  readonly file: string;
  /** Text that stands there exactly once. */
  readonly search: string;
  readonly replace: string;
}

/** One bug for each invariant. */
export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    bug: "an interrupt forgets calls that wait for a person",
    invariant: "ends",
    file: "core/brain/rules/stopping.ts",
    search: `call.status !== "started" && call.status !== "finished"`,
    replace: `call.status !== "started" && call.status !== "finished" && call.status !== "asking"`,
  },
  {
    bug: "the store keeps at most six events of an append",
    invariant: "no-lost-event",
    file: "store/memory/stream-log.ts",
    search: "const { type, version, at, data } of events)",
    replace: "const { type, version, at, data } of events.slice(0, 6))",
  },
  {
    bug: "who takes a lease over from another gets the same token",
    invariant: "fencing",
    file: "store/memory/leases.ts",
    search: "    lease.token += 1;",
    replace: "    lease.token += held === null ? 1 : 0;",
  },
  {
    bug: "of several commands at once only the first becomes an event",
    invariant: "commands",
    file: "core/brain/driver.ts",
    search: "for (const command of commands) news.push(",
    replace: "for (const command of commands.slice(0, 1)) news.push(",
  },
  {
    bug: "the log keeps whole seconds, the state milliseconds",
    invariant: "state-equals-refold",
    file: "core/session/compose.ts",
    search: "version: versionOf(type), at, data: JSON.stringify(data)",
    replace: "version: versionOf(type), at: Math.floor(at / 1000) * 1000, data: JSON.stringify(data)",
  },
  {
    bug: "a round decides first on the state before its news",
    invariant: "intents-wanted",
    file: "core/brain/round.ts",
    search: "decide(context.composition.rules, state);",
    replace: "decide(context.composition.rules, pass === 0 ? from : state);",
  },
  {
    bug: "a tool starts while the commit that says so is still on its way",
    invariant: "intent-before-effect",
    file: "core/brain/runners/call.ts",
    search: "go: () => runCall(ports, effect, context, recent),",
    replace: "go: ((early) => () => early)(runCall(ports, effect, context, recent)),",
  },
  {
    bug: "a call that a crash interrupted is run again",
    invariant: "at-most-once",
    file: "core/brain/runners/recover-call.ts",
    search: `if (recover === "rerun" || call.judgement?.readOnly === true) {`,
    replace: `if (recover !== "reconcile") {`,
  },
  {
    bug: "an answer counts for whatever call is open, whichever digest it names",
    invariant: "consent",
    file: "core/brain/command-event.ts",
    search: "if (command.digest !== undefined && command.digest !== digest) {",
    replace: `if (digest === "") {`,
  },
  {
    bug: "survivors of a crash are left alone",
    invariant: "survivors-first",
    file: "core/brain/runners/recover-call.ts",
    search: "const alive = await endSurvivors(ports, call, context);",
    replace: "const alive: readonly string[] = [];",
  },
  {
    bug: "a new life reopens finished calls of the open message",
    invariant: "finished-kept",
    file: "core/session/reduce-kernel.ts",
    search: `waking: event.data.how !== "created", copied: false };`,
    replace: `waking: event.data.how !== "created", copied: false, open: state.open === null ? null : { ...state.open, calls: state.open.calls.map((call) => (call.status === "finished" ? { ...call, status: "judged", result: null } : call)) } };`,
  },
  {
    bug: "an interrupt lets open calls go on first",
    invariant: "stops",
    file: "core/brain/rules/index.ts",
    search: "  stopping,\n  deadline,\n  capture,\n  judgeCalls,\n  answerCalls,\n  runCalls,\n",
    replace: "  deadline,\n  capture,\n  judgeCalls,\n  answerCalls,\n  runCalls,\n  stopping,\n",
  },
  {
    bug: "one retry too many",
    invariant: "locks",
    file: "core/brain/recovery/retry-transient.ts",
    search: "model.failures >= MAX_ATTEMPTS",
    replace: "model.failures > MAX_ATTEMPTS",
  },
  {
    bug: "a fork goes on with its parent's run",
    invariant: "forks",
    file: "core/session/close-in-flight.ts",
    search: "if (kernel.run.active)",
    replace: `if (kernel.run.active && kernel.model.phase === "requested")`,
  },
  {
    bug: "a result of unknown outcome is kept from the model",
    invariant: "pairing",
    file: "core/brain/projection.ts",
    search: `[message, { role: "tool", content: answers }]`,
    replace: `[message, { role: "tool", content: answers.filter(({ errorType }) => errorType !== "outcome_unknown") }]`,
  },
  {
    bug: "the prompt shows only the newest messages",
    invariant: "prefix",
    file: "core/brain/prompt.ts",
    search: "return ok(this.#messages);",
    replace: "return ok(this.#messages.slice(-12));",
  },
];
