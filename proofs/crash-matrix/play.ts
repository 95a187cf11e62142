/** Plays a scenario: one process after the other, each killed at its point, until one comes through. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { lines, notes } from "../shared/json-lines.ts";
import { endMarked, markedProcesses } from "../shared/marked-processes.ts";
import { readLog } from "../shared/read-log.ts";
import { type Ended, startWorker } from "../shared/worker.ts";
import type { Point, Scenario } from "./points.ts";
import type { DeadLife, Played } from "./records.ts";

/** Milliseconds a life may take; one that takes longer hangs. */
const MOST = 60_000;

/** Plays a scenario. Null: a life came through before its point, so there is no such point. */
export async function play(scenario: Scenario): Promise<Played | null> {
  const folder = mkdtempSync(join(tmpdir(), "rein-crash-"));
  const mark = `proof-${folder.slice(-6)}-${process.pid}-0000000000`;
  try {
    layOut(folder, scenario);
    const dead: DeadLife[] = [];
    for (const point of scenario.points) {
      const ended = await live(folder, dead.length + 1, point, mark);
      if (ended.signal !== "SIGKILL") {
        if (ended.code === 0) return null;
        throw new Error(`A life of "${scenario.name}" failed: ${said(ended)}`);
      }
      // A launcher that was not told to go ends by itself; it gets the time for that.
      await sleep(30);
      const survivors = markedProcesses(mark).map(({ command }) => command);
      const path = join(folder, "sessions.db");
      const log = existsSync(path) ? await readLog(path, "s") : { stored: [], events: [] };
      dead.push({ log, survivors });
    }
    const last = await live(folder, dead.length + 1, null, mark);
    if (last.code !== 0) throw new Error(`The last life of "${scenario.name}" failed: ${said(last)}`);
    return await record(folder, scenario, dead);
  } finally {
    endMarked(mark);
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function layOut(folder: string, { linger }: Scenario): void {
  const work = join(folder, "work");
  mkdirSync(work);
  for (const name of ["a", "b", "c"]) writeFileSync(join(work, `${name}.txt`), `${name} as it was\n`);
  if (linger === true) writeFileSync(join(work, "linger"), "");
}

async function live(folder: string, life: number, point: Point | null, mark: string): Promise<Ended> {
  const args = [folder, String(life), JSON.stringify(point), mark];
  const { child, ended } = startWorker("crash-matrix/life.worker.ts", args, { env: { REIN_MARK: mark } });
  const late = setTimeout(() => child.kill("SIGTERM"), MOST);
  const end = await ended;
  clearTimeout(late);
  return end;
}

function said({ code, signal, stdout, stderr }: Ended): string {
  return `${signal ?? `exit code ${code}`}\n${stdout}${stderr}`;
}

async function record(folder: string, scenario: Scenario, dead: readonly DeadLife[]): Promise<Played> {
  const out = join(folder, "work", "out");
  const names = existsSync(out) ? readdirSync(out).filter((name) => name.endsWith(".txt")) : [];
  return {
    scenario,
    dead,
    log: await readLog(join(folder, "sessions.db"), "s"),
    end: JSON.parse(readFileSync(join(folder, "end.json"), "utf8")),
    told: notes(join(folder, "told.jsonl")),
    requests: notes(join(folder, "requests.jsonl")),
    streamed: notes(join(folder, "streamed.jsonl")),
    closings: notes(join(folder, "closings.jsonl")),
    written: Object.fromEntries(names.map((name) => [name, lines(join(out, name)).join("\n")])),
  };
}
