/** Both ends of a job: a script of `bench/jobs` that runs in a process of its own and answers with one line of JSON. */
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Folder of the built jobs, from the root of the repository. */
export const BUILT_JOBS = "bench/dist";

/** What a job was given. */
export function jobInput<Input>(): Input {
  return JSON.parse(process.argv[2] ?? "null");
}

/** A folder for the files of one job. */
export function jobFolder(): string {
  return mkdtempSync(join(tmpdir(), "rein-bench-"));
}

/** Answers. */
export function answer<Output>(output: Output): void {
  process.stdout.write(`${JSON.stringify(output)}\n`);
}

/** Runs a job to its end and gives its answer. */
export function runJob<Output>(job: string, input: unknown, flags: readonly string[] = []): Output {
  const script = join(BUILT_JOBS, `${job}.js`);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...flags, script, JSON.stringify(input)], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`The job ${job} failed: ${error?.message ?? stderr}`);
  return JSON.parse(stdout);
}

/** Microseconds of CPU of the whole process since `start`. */
export function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}
