/**
 * Harms the files of a store (database, WAL, head file), one bit, one cut or one deletion at a time, and sees whether the store ever
 * keeps silent about it: `node scripts/damage-sweep.ts [--cases 2000] [--seed 1]`. Each case must be reported with its place (when the
 * store is opened, verified or read), or be harmless, which is proven by reading everything back as it was. The first cases are the
 * same in every sweep: each file of each state is deleted and cut to nothing.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  cpSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Result } from "../rein/src/core/errors.ts";
import type { Store } from "../rein/src/core/session/index.ts";
import { openSqliteStore } from "../rein/src/store/index.ts";
import { makeWorld, need, readWorld, type World } from "./damage-sweep-world.ts";

/** How the files stood when they were harmed. */
export type State = "closed" | "killed" | "open" | "live";

/** Which file is harmed; of head files the only one. */
export type HarmedFile = "store.db" | "store.db-wal" | "head";

/** One harm. */
export interface Case {
  readonly state: State;
  readonly file: HarmedFile;
  readonly harm: "flip" | "cut" | "delete";
  /** Bit of a flip, new length of a cut. */
  readonly at: number;
}

/** What became of a case. */
export type Outcome =
  | { readonly kind: "open" | "verify" | "read"; readonly placed: boolean }
  | { readonly kind: "harmless" }
  /** The store said nothing, and something was different. */
  | { readonly kind: "silent"; readonly what: string };

/** What a sweep found. */
export interface Sweep {
  readonly cases: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly unplaced: readonly Case[];
  readonly silent: readonly { readonly case: Case; readonly what: string }[];
  /** Cases where reading alone, without verify, gave other events than those that were stored. */
  readonly misread: readonly Case[];
}

const AT = 1_800_000_000_000;
const NAME = "store.db";

/** Runs a sweep; the same seed harms the same places. */
export async function sweep(cases: number, seed: number): Promise<Sweep> {
  const folder = mkdtempSync(join(tmpdir(), "rein-sweep-"));
  let ending = async (): Promise<void> => undefined;
  try {
    const { folders: states, end } = await makeStates(folder);
    ending = end;
    const expected = {
      closed: await readAll(states.closed, folder),
      killed: await readAll(states.killed, folder),
      open: await readAll(states.open, folder),
      live: await readAll(states.live, folder),
    };
    const random = mulberry32(seed);
    const counts: Record<string, number> = {};
    const unplaced: Case[] = [];
    const silent: { case: Case; what: string }[] = [];
    const misread: Case[] = [];
    for (let index = 0; index < cases; index += 1) {
      const chosen = chooseCase(states, random, index);
      const { outcome, misreads } = await runCase(
        states[chosen.state],
        join(folder, "case"),
        chosen,
        expected[chosen.state],
      );
      const key = `${chosen.state} ${chosen.file} ${chosen.harm}: ${outcome.kind}`;
      counts[key] = (counts[key] ?? 0) + 1;
      if (misreads) misread.push(chosen);
      if (outcome.kind === "silent") silent.push({ case: chosen, what: outcome.what });
      else if (outcome.kind !== "harmless" && !outcome.placed) unplaced.push(chosen);
    }
    return { cases, counts, unplaced, silent, misread };
  } finally {
    await ending();
    rmSync(folder, { recursive: true });
  }
}

/**
 * Folders with the same store: after it was closed, after its process was killed, copied while it was open in one, and
 * still open in one, which is where the shared memory makes SQLite trust the WAL without looking at its checksums.
 */
async function makeStates(
  folder: string,
): Promise<{ readonly folders: Readonly<Record<State, string>>; readonly end: () => Promise<void> }> {
  const closed = join(folder, "closed");
  const store = need(await openSqliteStore({ path: join(closed, NAME), now: () => AT + 500 }));
  await makeWorld(store);
  need(await store.close());
  const killed = await makeRunning(join(folder, "killed"));
  const open = join(folder, "open");
  cpSync(killed.folder, open, { recursive: true });
  await killed.end();
  const live = await makeRunning(join(folder, "live"));
  return { folders: { closed, open, killed: killed.folder, live: live.folder }, end: live.end };
}

async function makeRunning(folder: string): Promise<{ readonly folder: string; readonly end: () => Promise<void> }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "damage-sweep-world.ts"), join(folder, NAME)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return {
    folder,
    end: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

async function readAll(state: string, folder: string): Promise<World> {
  const copy = join(folder, "reference");
  cpSync(state, copy, { recursive: true });
  const store = need(await openSqliteStore({ path: join(copy, NAME), now: () => AT + 500 }));
  const verified = need(await store.verify());
  if (verified.findings.length > 0) throw new Error(`the reference is damaged: ${JSON.stringify(verified.findings)}`);
  const world = need(await readWorld(store));
  need(await store.close());
  rmSync(copy, { recursive: true });
  return world;
}

/** Cases that every sweep holds. */
const FIXED: readonly Case[] = (["closed", "killed", "open"] as const).flatMap((state) =>
  ([NAME, `${NAME}-wal`, "head"] as const)
    .filter((file) => state !== "closed" || file !== `${NAME}-wal`)
    .flatMap((file) => [{ state, file, harm: "delete", at: 0 } as const, { state, file, harm: "cut", at: 0 } as const]),
);

function chooseCase(states: Readonly<Record<State, string>>, random: () => number, index: number): Case {
  const fixed = FIXED[index];
  if (fixed !== undefined) return fixed;
  const state = (["closed", "killed", "open", "live"] as const)[index % 4] ?? "closed";
  const file = chooseFile(state, random);
  const size = statSync(pathOf(states[state], file)).size;
  // What a living process has open can be changed and changed back, not cut.
  const dice = state === "live" ? 1 : random();
  if (dice < 0.01) return { state, file, harm: "delete", at: 0 };
  if (dice < 0.2) return { state, file, harm: "cut", at: cutOf(size, file, random) };
  return { state, file, harm: "flip", at: Math.min(flipOf(size, file, random), size * 8 - 1) };
}

function chooseFile(state: State, random: () => number): HarmedFile {
  // What the idle process of the living state has noted it holds in memory: its head file tells nobody else anything.
  if (state !== "live" && random() < 0.06) return "head";
  return state !== "closed" && random() < 0.6 ? `${NAME}-wal` : NAME;
}

function pathOf(folder: string, file: HarmedFile): string {
  if (file !== "head") return join(folder, file);
  const heads = join(folder, `${NAME}-heads`);
  const [name, ...more] = readdirSync(heads);
  if (name === undefined || more.length > 0) throw new Error(`there must be one head file in ${heads}`);
  return join(heads, name);
}

/** Half anywhere, half at the borders of pages and frames. */
function cutOf(size: number, file: HarmedFile, random: () => number): number {
  const anywhere = Math.floor(random() * size);
  if (file === "head" || random() < 0.5) return anywhere;
  return file === NAME ? anywhere - (anywhere % 4_096) : Math.max(32 + (anywhere - (anywhere % 4_120)), 0);
}

/** Half anywhere, half in what gives the rest its meaning: headers of file, page and frame, and the cells' pointers. */
function flipOf(size: number, file: HarmedFile, random: () => number): number {
  const bit = Math.floor(random() * 8);
  const anywhere = Math.floor(random() * size);
  if (file === "head" || random() < 0.5) return anywhere * 8 + bit;
  if (random() < 0.2) return Math.floor(random() * Math.min(size, 100)) * 8 + bit;
  const start = file === NAME ? anywhere - (anywhere % 4_096) : 32 + (anywhere - (anywhere % 4_120));
  return (start + Math.floor(random() * 64)) * 8 + bit;
}

async function runCase(
  state: string,
  folder: string,
  chosen: Case,
  expected: World,
): Promise<{ readonly outcome: Outcome; readonly misreads: boolean }> {
  if (chosen.state === "live") return runLive(state, chosen, expected);
  cpSync(state, folder, { recursive: true });
  try {
    harm(pathOf(folder, chosen.file), chosen);
    return await look(join(folder, NAME), expected);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function runLive(state: string, chosen: Case, expected: World): ReturnType<typeof look> {
  harm(pathOf(state, chosen.file), chosen);
  try {
    return await look(join(state, NAME), expected);
  } finally {
    harm(pathOf(state, chosen.file), chosen);
  }
}

function harm(path: string, { harm: what, at }: Case): void {
  if (what === "delete") {
    unlinkSync(path);
    return;
  }
  const fd = openSync(path, "r+");
  if (what === "cut") ftruncateSync(fd, at);
  else {
    const byte = Buffer.alloc(1);
    readSync(fd, byte, 0, 1, at >> 3);
    byte[0] = (byte[0] ?? 0) ^ (1 << (at & 7));
    writeSync(fd, byte, 0, 1, at >> 3);
  }
  closeSync(fd);
}

async function look(path: string, expected: World): Promise<{ readonly outcome: Outcome; readonly misreads: boolean }> {
  const opened = await openSqliteStore({ path, now: () => AT + 500 });
  if (!opened.ok) return { outcome: { kind: "open", placed: isPlaced(opened.error.place) }, misreads: false };
  const store = opened.value;
  try {
    const world = await readWorld(store);
    const misreads = world.ok && world.value.events !== expected.events;
    return { outcome: await judge(store, world, expected), misreads };
  } finally {
    need(await store.close());
  }
}

async function judge(store: Store, world: Result<World>, expected: World): Promise<Outcome> {
  const verified = await store.verify();
  if (!verified.ok) return { kind: "verify", placed: isPlaced(verified.error.place) };
  // A notice is a report too: what was harmed there is the evidence, and nothing is missing.
  if (verified.value.findings.length > 0)
    return { kind: "verify", placed: verified.value.findings.every(({ place }) => isPlaced(place)) };
  if (!world.ok) return { kind: "read", placed: isPlaced(world.error.place) };
  if (world.value.events !== expected.events) return { kind: "silent", what: "other events were read" };
  return world.value.rest === expected.rest
    ? { kind: "harmless" }
    : { kind: "silent", what: "something else was read" };
}

function isPlaced(place: Readonly<Record<string, unknown>> | undefined): boolean {
  return place !== undefined && Object.keys(place).length > 0;
}

/** A small seeded source of numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { cases: { type: "string", default: "2000" }, seed: { type: "string", default: "1" } },
  });
  const found = await sweep(Number(values.cases), Number(values.seed));
  for (const key of Object.keys(found.counts).sort()) console.log(`${String(found.counts[key]).padStart(6)}  ${key}`);
  for (const { case: harmed, what } of found.silent) console.log("SILENT", JSON.stringify(harmed), what);
  for (const harmed of found.misread) console.log("READ DIFFERENTLY", JSON.stringify(harmed));
  for (const harmed of found.unplaced) console.log("WITHOUT PLACE", JSON.stringify(harmed));
  console.log(
    `${found.cases} cases, ${found.silent.length} silent, ${found.unplaced.length} without place, ${found.misread.length} with other events before verify`,
  );
  if (found.silent.length > 0 || found.unplaced.length > 0) process.exitCode = 1;
}
