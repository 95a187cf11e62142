import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Durability } from "rein";
import { startWorker } from "../shared/worker.ts";
import { readTrace } from "./read-trace.ts";
import { type Findings, look } from "./what-must-hold.ts";

const TRACED = "fsync,fdatasync,pwrite64,pwritev,pwritev2,write,writev";

/** Whether `strace` can be run here and may trace. */
export function canTrace(): boolean {
  return spawnSync("strace", ["-o", "/dev/null", "true"]).status === 0;
}

/** Runs a session of so many turns under `strace`, and says what its system calls show. */
export async function traceSession(durability: Durability, turns: number): Promise<Findings> {
  const folder = mkdtempSync(join(tmpdir(), "rein-strict-"));
  try {
    const trace = join(folder, "trace");
    // -f: all threads and children; -y: paths for descriptors; -s: enough of each text for a mark.
    const under = ["strace", "-f", "-y", "-s", "400", "-e", `trace=${TRACED}`, "-o", trace];
    const args = [folder, durability, String(turns)];
    const { code, stderr } = await startWorker("strict/session.worker.ts", args, { under }).ended;
    if (code !== 0) throw new Error(`The traced session ended with ${code}: ${stderr}`);
    return look(readTrace(readFileSync(trace, "utf8")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
