import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { openSqliteStore } from "./open-sqlite-store.ts";
import { currentOwner } from "./owner.ts";
import { appendTexts, errorOf, makeTestFolder, openGood, textsOf } from "./testing.ts";

const folder = makeTestFolder();
const mounts: string[] = [];
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

afterAll(() => {
  for (const mount of mounts) shell('umount "$0"', mount);
  folder.remove();
});

/** Runs a command line of the shell with a path as `$0`, and gives its exit code. */
function shell(line: string, path: string): number | null {
  return spawnSync("/bin/sh", ["-c", line, path]).status;
}

/** A real small disk; null where nobody may mount one. */
function smallDisk(): string | null {
  const mount = dirname(folder.path());
  mkdirSync(mount, { recursive: true });
  if (shell('mount -t tmpfs -o size=1m tmpfs "$0"', mount) !== 0) return null;
  mounts.push(mount);
  return mount;
}

const disk = process.platform === "linux" && isRoot ? smallDisk() : null;

describe.runIf(disk !== null)("a disk of one megabyte", () => {
  const path = join(disk ?? "", "store.db");

  it("that is full refuses what no longer fits, keeps what it had, and goes on when there is room", async () => {
    const ballast = join(disk ?? "", "ballast");
    writeFileSync(ballast, Buffer.alloc(100_000));
    const store = await openGood(path);
    const { token } = unwrap(await store.acquire("s", currentOwner(), 60_000));
    const data = JSON.stringify("x".repeat(3_000));
    const append = (seq: number) =>
      store.commit({
        appends: [{ stream: "s", expectedSeq: seq, token, events: [{ type: "x", version: 1, at: 1, data }] }],
      });
    let seq = 0;
    while ((await append(seq)).ok) seq += 1;
    expect(seq).toBeGreaterThan(20);
    const refusal = errorOf(await append(seq));
    expect(refusal).toMatchObject({ code: "store_full", place: { file: path } });
    expect(refusal.hint).toContain("Free some space");
    expect(await textsOf(store, "s")).toEqual(Array.from({ length: seq }, () => data));
    expect(unwrap(await store.verify())).toMatchObject({ ok: true, events: seq });

    rmSync(ballast);
    unwrap(await append(seq));
    await store.close();
    const again = await openGood(path);
    expect(await textsOf(again, "s")).toHaveLength(seq + 1);
    expect(unwrap(await again.verify())).toMatchObject({ ok: true, findings: [] });
    await again.close();
  });

  it("without room for a store says so", async () => {
    const ballast = join(disk ?? "", "ballast");
    expect(() => {
      for (;;) appendFileSync(ballast, Buffer.alloc(4_096));
    }).toThrow("ENOSPC");
    const other = join(disk ?? "", "other", "deep", "store.db");
    // Neither where there is no room at all, nor where the file would fit and what it needs to be used would not.
    for (const room of [0, 40, 100, 200, 300].map((pages) => pages * 1_024)) {
      truncateSync(ballast, statSync(ballast).size - room);
      expect(await openSqliteStore({ path: other })).toMatchObject({
        ok: false,
        error: {
          code: "store_full",
          message: `The disk is full: there is no room for a new store at ${other}.`,
          hint: "Free some space and try again, or give another path; nothing was left behind.",
        },
      });
      expect(existsSync(join(disk ?? "", "other"))).toBe(false);
      expect(() => {
        for (;;) appendFileSync(ballast, Buffer.alloc(4_096));
      }).toThrow("ENOSPC");
    }
    rmSync(ballast);
  });

  it("mounted for reading is read and never written", async () => {
    shell('mount -o remount,ro "$0"', disk ?? "");
    expect(errorOf(await openSqliteStore({ path }))).toMatchObject({ code: "store_readonly", place: { file: path } });
    expect(errorOf(await openSqliteStore({ path: join(disk ?? "", "new.db") })).code).toBe("store_readonly");
    const reader = await openGood(path, { readOnly: true });
    expect((await textsOf(reader, "s")).length).toBeGreaterThan(20);
    expect(unwrap(await reader.verify()).ok).toBe(true);
    await reader.close();
    shell('mount -o remount,rw "$0"', disk ?? "");
  });
});

it("a file that may not grow is an error of the disk, and what was committed is whole", async () => {
  const path = folder.path();
  await (await openGood(path)).close();
  // In units of 512 bytes by POSIX: the limit meets the WAL first.
  const worker = join(import.meta.dirname, "filler.worker.ts");
  const { stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", `ulimit -f 1200; exec "$0" "$@"`, process.execPath, worker, path],
    { encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const said = JSON.parse(stdout);
  expect(said).toMatchObject({ ok: true, code: expect.stringMatching(/^store_(io|full)$/) });
  expect(said.seq).toBeGreaterThan(20);
  expect(said.events).toBe(said.seq);
  const store = await openGood(path);
  expect(await textsOf(store, "s")).toHaveLength(said.seq);
  expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
  await store.close();
});

describe("without permission", () => {
  /** What an ordinary owner of the files meets. */
  function open(path: string, how: "read" | "write"): string {
    if (isRoot) shell(`chown -R ${NOBODY}:${NOBODY} "$0"`, dirname(path));
    chmodSync(dirname(dirname(path)), 0o755);
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [join(import.meta.dirname, "ordinary.worker.ts"), path, how],
      { encoding: "utf8" },
    );
    expect(stderr).toBe("");
    return stdout;
  }

  async function makeClosed(): Promise<string> {
    const path = folder.path();
    const store = await openGood(path);
    await appendTexts(store, "s", ["1", "2"]);
    await store.close();
    return path;
  }

  it("to write the file, a store is refused for writing and opened for reading", async () => {
    const path = await makeClosed();
    expect(open(path, "write")).toBe("2");
    chmodSync(path, 0o400);
    expect(open(path, "write")).toBe("store_readonly");
    expect(open(path, "read")).toBe("2");
  });

  it("to write the folder, a store is refused for writing and opened for reading", async () => {
    const path = await makeClosed();
    chmodSync(dirname(path), 0o500);
    expect(open(path, "write")).toBe("store_readonly");
    expect(open(path, "read")).toBe("2");
    expect(open(join(dirname(path), "new.db"), "write")).toBe("store_readonly");
    chmodSync(dirname(path), 0o700);
  });

  it("to read the file or to enter the folder, the path is unusable", async () => {
    const path = await makeClosed();
    chmodSync(path, 0o000);
    expect(open(path, "read")).toBe("path_unusable");
    expect(open(path, "write")).toBe("path_unusable");
    chmodSync(path, 0o600);
    chmodSync(dirname(path), 0o000);
    expect(open(path, "read")).toBe("path_unusable");
    expect(open(path, "write")).toBe("path_unusable");
    chmodSync(dirname(path), 0o700);
    expect(open(path, "write")).toBe("2");
  });
});
