import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { afterAll, expect, test } from "vitest";
import { notes } from "../shared/json-lines.ts";
import { readLog } from "../shared/read-log.ts";
import { startWorker } from "../shared/worker.ts";
import type { Asked } from "./asked.ts";
import { Scene } from "./scene.ts";

const WORKER = "bad-input/filling.worker.ts";
const mounts: string[] = [];
afterAll(() => {
  for (const mount of mounts) spawnSync("umount", [mount]);
  rmSync(probe, { recursive: true });
});

/** Makes a folder a disk of a few megabytes; false where nobody may mount one. */
function isSmallDisk(folder: string): boolean {
  const { status } = spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", folder]);
  if (status === 0) mounts.push(folder);
  return status === 0;
}

interface End {
  readonly reason: string;
  readonly error: {
    readonly class: string;
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  } | null;
}

/** One life of the session; `under` limits it. */
async function live(path: string, work: string, input: string, under: readonly string[] = []): Promise<End> {
  const { code, stdout, stderr } = await startWorker(WORKER, [path, work, input], { under }).ended;
  if (code !== 0) throw new Error(`It ended with ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** The log of the first life is whole, the second goes on from it, and no entry is kept twice. */
async function goesOn(path: string, work: string): Promise<void> {
  const before = await readLog(path, "s");
  const begun = before.events.filter(({ type }) => type === "tool.started").length;
  expect(begun).toBeGreaterThan(10);
  // Nothing happened without its intent in the log.
  expect(notes(join(work, "kept.jsonl")).length).toBeLessThanOrEqual(begun);

  expect(await live(path, work, "")).toEqual({ reason: "done", error: null });
  const after = await readLog(path, "s");
  expect(after.stored.slice(0, before.stored.length)).toEqual(before.stored);
  const kept = notes<string>(join(work, "kept.jsonl"));
  expect(new Set(kept).size).toBe(kept.length);
  const asked = notes<Asked>(join(work, "asked.jsonl"));
  expect(asked.flatMap(({ faults }) => faults)).toEqual([]);
  for (const [index, { head, messages }] of asked.slice(1).entries()) {
    expect([head, messages.slice(0, asked[index]?.messages.length)]).toEqual([
      asked[index]?.head,
      asked[index]?.messages,
    ]);
  }
  const store = unwrap(await openSqliteStore({ path }));
  expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
  unwrap(await store.close());
}

test("a file that may not grow stops the run with a word on it; when it may, the run goes on", {
  timeout: 120_000,
}, async () => {
  const made = new Scene();
  // In units of 512 bytes by POSIX; a shell that counts in 1,024 only leaves more room.
  const under = ["/bin/sh", "-c", 'ulimit -f 2000; exec "$0" "$@"'];
  const { reason, error } = await live(made.path, made.work, "Fill the disk.", under);
  expect(reason).toBe("failed");
  expect(error).toMatchObject({ class: "resource", code: expect.stringMatching(/^store_(full|io)$/) });
  expect(error?.message).toContain(made.path);
  expect(error?.hint).toContain("what was committed is intact");
  await goesOn(made.path, made.work);
});

const probe = mkdtempSync(join(tmpdir(), "rein-small-disk-"));
// Only the superuser may mount a disk; everybody else has the test above.
if (isSmallDisk(probe)) {
  test("a full disk stops the run with a word on it; with room again, the run goes on", {
    timeout: 120_000,
  }, async () => {
    const { work } = new Scene();
    const path = join(probe, "sessions.db");
    writeFileSync(join(probe, "ballast"), Buffer.alloc(1_500_000));
    const end = await live(path, work, "Fill the disk.");
    expect(end.reason).toBe("failed");
    expect(end.error).toMatchObject({
      class: "resource",
      code: "store_full",
      message: `The disk that holds ${path} is full.`,
      hint: "Free some space and resume; what was committed is intact.",
    });
    // Still full: it says so again and loses nothing.
    const log = await readLog(path, "s");
    expect(log.events.at(-1)?.type).not.toBe("run.ended");
    rmSync(join(probe, "ballast"));
    spawnSync("mount", ["-o", "remount,size=64m", probe]);
    await goesOn(path, work);
  });
}
