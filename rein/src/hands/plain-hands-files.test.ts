import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  chown,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPermitOffice } from "../core/permit.ts";
import { pathError } from "./path-error.ts";
import { testHands } from "./test-hands.ts";

const { hands, permit, read, write } = testHands();
const isRoot = process.geteuid?.() === 0;

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "hands-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Runs a command in the folder; throws when it fails. */
function shell(command: string): void {
  execFileSync("/bin/sh", ["-c", command], { cwd: folder, stdio: "ignore" });
}

/** Does something without the rights of the superuser, to whom nothing is closed. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (!isRoot) return work();
  await chmod(folder, 0o777);
  process.seteuid?.(65_534);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
  }
}

describe("permits", () => {
  it("nothing moves without one for exactly that effect", async () => {
    const effect = { kind: "write", path: at("a") } as const;
    const forged = { ...permit(effect) };
    const foreign = createPermitOffice().mint("1:0", effect);
    for (const wrong of [forged, foreign]) {
      expect(await hands.writeFile(wrong, effect, Buffer.from("x"))).toMatchObject({
        error: { code: "permit_missing" },
      });
    }
    const other = permit({ kind: "write", path: at("b") });
    expect(await hands.writeFile(other, effect, Buffer.from("x"))).toMatchObject({
      error: { code: "permit_mismatch" },
    });
    expect(await readdir(folder)).toEqual([]);

    const reading = { kind: "read", path: at("a") } as const;
    expect(await hands.readFile(other, reading, { maxBytes: 1 })).toMatchObject({ error: { code: "permit_mismatch" } });
    const walking = { kind: "read-tree", path: folder } as const;
    expect(await hands.openTree(other, walking)).toMatchObject({ error: { code: "permit_mismatch" } });
  });

  it("one for a real path does not hold when the path leads elsewhere by now", async () => {
    await mkdir(at("inside"));
    await mkdir(at("outside"));
    await writeFile(at("outside/file"), "secret");
    await symlink(at("outside"), at("inside/sub"));

    const reading = { kind: "read", path: at("inside/sub/file") } as const;
    const judged = at("inside/sub/file");
    expect(await hands.readFile(permit(reading, judged), reading, { maxBytes: 100 })).toMatchObject({
      error: { code: "path_outside", message: `${judged} leads elsewhere than when it was judged.` },
    });
    const writing = { kind: "write", path: judged } as const;
    expect(await hands.writeFile(permit(writing, judged), writing, Buffer.from("x"))).toMatchObject({
      error: { code: "path_outside" },
    });
    const walking = { kind: "read-tree", path: at("inside/sub") } as const;
    expect(await hands.openTree(permit(walking, at("inside/sub")), walking)).toMatchObject({
      error: { code: "path_outside" },
    });
    expect(await readFile(at("outside/file"), "utf8")).toBe("secret");
    expect(await hands.readFile(permit(reading, at("outside/file")), reading, { maxBytes: 100 })).toMatchObject({
      ok: true,
    });
  });
});

describe("readFile", () => {
  it("reads bytes as they are, up to the bound, and tells the real size", async () => {
    const bytes = Buffer.from([0, 0xff, 0xfe, 10, 13, 0x80]);
    await writeFile(at("a"), bytes);
    expect(await read(at("a"))).toEqual({ ok: true, value: { bytes, size: 6 } });
    expect(await read(at("a"), 2)).toEqual({ ok: true, value: { bytes: bytes.subarray(0, 2), size: 6 } });
    expect(await read(at("a"), 0)).toEqual({ ok: true, value: { bytes: Buffer.alloc(0), size: 6 } });
    await writeFile(at("empty"), "");
    expect(await read(at("empty"))).toEqual({ ok: true, value: { bytes: Buffer.alloc(0), size: 0 } });
  });

  it("reads a large file whole, and a file that says it is empty", async () => {
    const large = Buffer.alloc(3_000_001, "0123456789");
    await writeFile(at("large"), large);
    const result = await read(at("large"), 10_000_000);
    expect(result.ok && Buffer.compare(result.value.bytes, large)).toBe(0);
    const status = await read("/proc/self/status");
    expect(status.ok && Buffer.from(status.value.bytes).toString()).toContain("Name:");
  });

  it("reads names with spaces, line breaks and other writing", async () => {
    for (const name of [" a b ", "-rf", "a\nb", "ü-漢字-🙂", "$(x)`y`", "..x"]) {
      await writeFile(at(name), name);
      expect(await read(at(name))).toEqual({
        ok: true,
        value: { bytes: Buffer.from(name), size: Buffer.byteLength(name) },
      });
    }
  });

  it.each([
    ["none", "does not exist"],
    ["sub", "is a folder"],
    ["file/x", "goes through something that is not a folder"],
    ["pipe", "is not a regular file"],
    ["loop", "goes through too many links, or a loop of them"],
    ["dangling", "does not exist"],
    ["a\0b", "holds a NUL byte"],
  ])("says what is wrong with %j", async (name, message) => {
    await mkdir(at("sub"));
    await writeFile(at("file"), "");
    shell("mkfifo pipe");
    await symlink("loop", at("loop"));
    await symlink("nowhere", at("dangling"));
    const result = await read(`${folder}/${name}`);
    expect(result).toMatchObject({ ok: false, error: { code: "path_unusable" } });
    expect(result.ok ? "" : result.error.message).toContain(message);
  });

  it("never waits for a device", async () => {
    expect(await read("/dev/zero", 10)).toMatchObject({ error: { message: "/dev/zero is not a regular file." } });
    expect(await read("relative")).toMatchObject({ error: { code: "path_unusable" } });
  });

  it("says that a file is closed", async () => {
    await writeFile(at("closed"), "x", { mode: 0 });
    expect(await unprivileged(() => read(at("closed")))).toMatchObject({
      error: { code: "path_unusable", message: `${at("closed")} may not be accessed: permission denied.` },
    });
  });
});

describe("writeFile", () => {
  it("makes folders and the file, and leaves nothing else", async () => {
    expect(await write(at("a/b/c.txt"), "text")).toEqual({ ok: true, value: undefined });
    expect(await readFile(at("a/b/c.txt"), "utf8")).toBe("text");
    expect(await readdir(at("a/b"))).toEqual(["c.txt"]);
    expect((await stat(at("a/b/c.txt"))).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it("replaces a file whole and keeps its mode and owner", async () => {
    await writeFile(at("run.sh"), "old and longer");
    await chmod(at("run.sh"), 0o4751);
    if (isRoot) await chown(at("run.sh"), 1_234, 1_235);
    if (isRoot) await chmod(at("run.sh"), 0o4751);
    const before = await stat(at("run.sh"));
    expect(await write(at("run.sh"), "new")).toMatchObject({ ok: true });
    const after = await stat(at("run.sh"));
    expect(await readFile(at("run.sh"), "utf8")).toBe("new");
    expect([after.mode, after.uid, after.gid]).toEqual([before.mode, before.uid, before.gid]);
    expect(after.ino).not.toBe(before.ino);
  });

  it("is one whole version at any moment, with many writers at once", async () => {
    const versions = Array.from({ length: 40 }, (_, index) => String.fromCharCode(65 + (index % 26)).repeat(50_000));
    const writing = Promise.all(versions.map((version) => write(at("file"), version)));
    const seen: string[] = [];
    for (let round = 0; round < 40; round++) {
      const result = await read(at("file"));
      if (result.ok) seen.push(Buffer.from(result.value.bytes).toString());
    }
    expect((await writing).every(({ ok }) => ok)).toBe(true);
    seen.push(await readFile(at("file"), "utf8"));
    for (const text of seen) expect(versions.includes(text)).toBe(true);
    expect(await readdir(folder)).toEqual(["file"]);
  });

  it("follows no link in the last component, not even into the same folder", async () => {
    await writeFile(at("target"), "old");
    await symlink("target", at("link"));
    await symlink("nowhere", at("dangling"));
    for (const name of ["link", "dangling"]) {
      expect(await write(at(name), "new")).toMatchObject({
        error: { code: "path_unusable", message: `${at(name)} is a link, and a write follows none.` },
      });
      expect((await lstat(at(name))).isSymbolicLink()).toBe(true);
    }
    expect(await readFile(at("target"), "utf8")).toBe("old");
    expect((await readdir(folder)).sort()).toEqual(["dangling", "link", "target"]);
  });

  it("writes through a link to a folder, to where it leads", async () => {
    await mkdir(at("real"));
    await symlink("real", at("link"));
    expect(await write(at("link/file"), "x")).toMatchObject({ ok: true });
    expect(await readFile(at("real/file"), "utf8")).toBe("x");
  });

  it("replaces a program that is running", async () => {
    await copyFile("/bin/sleep", at("program"));
    const running = spawn(at("program"), ["30"]);
    try {
      await once(running, "spawn");
      expect(await write(at("program"), "new")).toMatchObject({ ok: true });
      expect(await readFile(at("program"), "utf8")).toBe("new");
    } finally {
      running.kill("SIGKILL");
    }
  });

  it.each([
    ["sub", "is a folder"],
    ["file/x", "goes through something that is not a folder"],
    ["pipe", "is not a regular file"],
    ["loop/x", "goes through too many links, or a loop of them"],
    [`${"n".repeat(256)}`, "is too long for the file system"],
    ["a\0b", "holds a NUL byte"],
    ["a\ud800", "is not valid Unicode"],
  ])("says what is wrong with %j and leaves nothing", async (name, message) => {
    await mkdir(at("sub"));
    await writeFile(at("file"), "");
    shell("mkfifo pipe");
    await symlink("loop", at("loop"));
    const before = (await readdir(folder)).sort();
    const result = await write(`${folder}/${name}`, "x");
    expect(result).toMatchObject({ ok: false, error: { code: "path_unusable" } });
    expect(result.ok ? "" : result.error.message).toContain(message);
    expect((await readdir(folder)).sort()).toEqual(before);
  });

  it("leaves what is closed to us as it is", async () => {
    await writeFile(at("closed"), "old", { mode: 0o444 });
    await mkdir(at("sub"), { mode: 0o755 });
    const file = await unprivileged(() => write(at("closed"), "new"));
    expect(file).toMatchObject({ error: { message: `${at("closed")} may not be accessed: permission denied.` } });
    if (!isRoot) await chmod(at("sub"), 0o555);
    const inFolder = await unprivileged(() => write(at("sub/new"), "new"));
    expect(inFolder).toMatchObject({ error: { message: `${at("sub/new")} may not be accessed: permission denied.` } });
    expect(await readFile(at("closed"), "utf8")).toBe("old");
    expect(await readdir(at("sub"))).toEqual([]);
  });

  it("a full disk is said, and the old version stays", async () => {
    const full = Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
    expect(pathError("/a", full).message).toBe("/a can't be written: no space is left on the device.");
    // The real thing needs the right to mount.
    const small = await smallFileSystem();
    if (small === null) return;
    try {
      expect(await write(join(small, "file"), "old")).toMatchObject({ ok: true });
      expect(await write(join(small, "file"), Buffer.alloc(2_000_000))).toMatchObject({
        error: { message: `${join(small, "file")} can't be written: no space is left on the device.` },
      });
      expect(await readFile(join(small, "file"), "utf8")).toBe("old");
      expect(await readdir(small)).toEqual(["file"]);
    } finally {
      shell("umount disk");
    }
  });
});

async function smallFileSystem(): Promise<string | null> {
  await mkdir(at("disk"));
  try {
    shell("mount -t tmpfs -o size=1m tmpfs disk");
    return at("disk");
  } catch {
    return null;
  }
}
