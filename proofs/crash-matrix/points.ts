/** Where a life can end. */

/** Just before something, or just after it. */
export type Side = "before" | "after";

/** A point at which a process is killed. */
export type Point =
  /** The n-th commit of the life that appends or releases. */
  | { readonly at: "commit"; readonly n: number; readonly side: Side }
  /** The first commit that holds an event of this type. */
  | { readonly at: "commit-of"; readonly type: string; readonly side: Side }
  /** The n-th commit that only keeps streamed text. */
  | { readonly at: "scratch"; readonly n: number; readonly side: Side }
  /** The taking of the lease. */
  | { readonly at: "acquire"; readonly side: Side }
  /** The model's stream stands still after so many deltas; death comes `wait` ms later. */
  | { readonly at: "stream"; readonly deltas: number; readonly wait: number }
  /** The model streams a delta every 25 ms; death comes `wait` ms after the first. */
  | { readonly at: "flow"; readonly wait: number }
  /** A file that a `read` has opened; its bytes are read, and handed on by nobody. */
  | { readonly at: "read"; readonly file: string; readonly side: Side }
  /** The rename that ends a write; `before` leaves the new version under its other name. */
  | { readonly at: "rename"; readonly file: string; readonly side: Side }
  /** The effect of an own tool. */
  | { readonly at: "note"; readonly name: string; readonly side: Side }
  /** A file that a command makes has appeared; death comes `wait` ms later. */
  | { readonly at: "file"; readonly file: string; readonly wait: number };

/** One scenario: the points at which one life after the other is killed; the life behind them may live. */
export interface Scenario {
  readonly name: string;
  readonly points: readonly Point[];
  /** Somebody of the last command stays and does not listen to TERM. */
  readonly linger?: boolean;
  /** What must have been in the air when the first life ended, so that the point proves something. */
  readonly interrupts?: {
    /** Calls that had begun and had not ended. */
    readonly calls?: readonly string[];
    /** Processes of them were alive. */
    readonly survivors?: boolean;
    /** A message was being streamed. */
    readonly message?: boolean;
  };
}

const SIDES: readonly Side[] = ["before", "after"];

/** Inside every effect. */
export const INSIDE_EFFECTS: readonly Scenario[] = [
  // Kept text is at most 250 ms old: what came earlier must be there.
  ...[1, 7, 40].map(
    (deltas): Scenario => ({
      name: `in the model's stream, 400 ms after delta ${deltas}`,
      points: [{ at: "stream", deltas, wait: 400 }],
      interrupts: { message: true },
    }),
  ),
  ...[300, 650, 980].map(
    (wait): Scenario => ({
      name: `in the model's stream while it flows, at ${wait} ms`,
      points: [{ at: "flow", wait }],
      interrupts: { message: true },
    }),
  ),
  ...SIDES.flatMap((side): readonly Scenario[] => [
    {
      name: `in a read, ${side} its bytes came`,
      points: [{ at: "read", file: "b.txt", side }],
      interrupts: { calls: ["read"] },
    },
    {
      name: `in an own tool, ${side} its effect`,
      points: [{ at: "note", name: "two", side }],
      interrupts: { calls: ["note"] },
    },
    {
      name: `in a write, ${side} the rename`,
      points: [{ at: "rename", file: "out/two.txt", side }],
      interrupts: { calls: ["write"] },
    },
    {
      name: `in a write beside a running command, ${side} the rename`,
      points: [{ at: "rename", file: "out/three.txt", side }],
      interrupts: { calls: ["write", "job"] },
    },
  ]),
  {
    name: "in a command whose launcher waits, before it is announced",
    points: [{ at: "commit-of", type: "process.started", side: "before" }],
    interrupts: { calls: ["job"] },
  },
  {
    name: "in a command between its announcement and the byte that lets it go",
    points: [{ at: "commit-of", type: "process.started", side: "after" }],
    interrupts: { calls: ["job"] },
  },
  ...[0, 60, 200].map(
    (wait): Scenario => ({
      name: `in a running command, ${wait} ms after its grandchildren started`,
      points: [{ at: "file", file: "job.up", wait }],
      interrupts: { calls: ["job"], survivors: true },
    }),
  ),
  {
    name: "in a command whose leader has ended and whose helper has not",
    points: [{ at: "file", file: "shell.leaving", wait: 100 }],
    linger: true,
    interrupts: { calls: ["shell"], survivors: true },
  },
  {
    name: "in a command that is being ended and does not listen",
    points: [{ at: "file", file: "term.sent", wait: 50 }],
    linger: true,
    interrupts: { calls: ["shell"], survivors: true },
  },
];

/** The lease, and the text kept beside the log. */
export const SMALL_WRITES: readonly Scenario[] = SIDES.flatMap((side): readonly Scenario[] => [
  { name: `${side} the lease is taken`, points: [{ at: "acquire", side }] },
  { name: `${side} streamed text is kept`, points: [{ at: "scratch", n: 1, side }], interrupts: { message: true } },
  {
    name: `${side} streamed text is kept again`,
    points: [
      { at: "stream", deltas: 7, wait: 400 },
      { at: "scratch", n: 1, side },
    ],
    interrupts: { message: true },
  },
]);

/** The recovery dies too, and its own recovery comes through. */
export const DEATHS_IN_RECOVERY: readonly Scenario[] = [
  ...[1, 2, 3].flatMap((n) =>
    SIDES.map(
      (side): Scenario => ({
        name: `in a running command, then ${side} commit ${n} of the recovery`,
        points: [
          { at: "file", file: "job.up", wait: 60 },
          { at: "commit", n, side },
        ],
        interrupts: { calls: ["job"], survivors: true },
      }),
    ),
  ),
  ...[1, 2].flatMap((n) =>
    SIDES.map(
      (side): Scenario => ({
        name: `in the model's stream, then ${side} commit ${n} of the recovery`,
        points: [
          { at: "stream", deltas: 7, wait: 400 },
          { at: "commit", n, side },
        ],
        interrupts: { message: true },
      }),
    ),
  ),
  {
    name: "in a read, then in the same read when it runs again",
    points: [
      { at: "read", file: "b.txt", side: "after" },
      { at: "read", file: "b.txt", side: "after" },
    ],
    interrupts: { calls: ["read"] },
  },
  {
    name: "in a command, then while its survivors are being ended",
    points: [
      { at: "file", file: "shell.leaving", wait: 100 },
      { at: "file", file: "term.sent", wait: 50 },
    ],
    linger: true,
    interrupts: { calls: ["shell"], survivors: true },
  },
];

/** The two scenarios of a commit border. */
export function atCommit(n: number): readonly Scenario[] {
  return SIDES.map((side) => ({ name: `${side} commit ${n}`, points: [{ at: "commit", n, side }] }));
}
