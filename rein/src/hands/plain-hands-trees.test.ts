import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { TreeEntry, TreeReader } from "../core/ports.ts";
import { sortedNames } from "./sorted-names.ts";
import { testHands } from "./test-hands.ts";

const { tree } = testHands();
const isRoot = process.geteuid?.() === 0;
const never = new AbortController().signal;

let folder: string;
const at = (...names: string[]): string => join(folder, ...names);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "tree-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function open(path = folder): Promise<TreeReader> {
  const result = await tree(path);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

async function walk(skip?: (entry: TreeEntry) => boolean): Promise<readonly string[]> {
  const reader = await open();
  const seen: string[] = [];
  const options = skip === undefined ? { signal: never } : { skip, signal: never };
  for await (const { kind, path, size } of reader.entries(options)) {
    seen.push(kind === "file" ? `${path} ${size}` : `${path} ${kind}`);
  }
  return seen;
}

describe("entries", () => {
  it("come depth first, names sorted, links named and not followed", async () => {
    await mkdir(at("b/inner/empty"), { recursive: true });
    await writeFile(at("b/inner/z"), "123");
    await writeFile(at("b/a"), "");
    await writeFile(at("a"), "1");
    await writeFile(at("B"), "12");
    await writeFile(at("b.txt"), "1234");
    await symlink("..", at("b/up"));
    await symlink("/etc", at("etc"));
    expect(await walk()).toEqual([
      "B 2",
      "a 1",
      "b folder",
      "b/a 0",
      "b/inner folder",
      "b/inner/empty folder",
      "b/inner/z 3",
      "b/up link",
      "b.txt 4",
      "etc link",
    ]);
  });

  it("leave out what is skipped, with what lies below it", async () => {
    await mkdir(at("node_modules/x"), { recursive: true });
    await writeFile(at("node_modules/x/y"), "");
    await writeFile(at("a.log"), "");
    await writeFile(at("b"), "");
    expect(await walk(({ path }) => path === "node_modules" || path.endsWith(".log"))).toEqual(["b 0"]);
  });

  it("name a folder that can't be read as other, and go on", async () => {
    await mkdir(at("closed"));
    await writeFile(at("closed/x"), "");
    await writeFile(at("z"), "");
    await chmod(at("closed"), 0);
    if (isRoot) await chmod(folder, 0o755);
    if (isRoot) process.seteuid?.(65_534);
    try {
      expect(await walk()).toEqual(["closed other", "z 0"]);
    } finally {
      if (isRoot) process.seteuid?.(0);
      await chmod(at("closed"), 0o755);
    }
  });

  it("name a folder other whose path is too long for the system, and go on", async () => {
    // Built from the inside out: no single path to the end could be made.
    const name = "d".repeat(250);
    await mkdir(at("top"));
    await writeFile(at("z"), "");
    for (let level = 0; level < 18; level++) {
      await mkdir(at("outer"));
      await rename(at("top"), at("outer", name));
      await rename(at("outer"), at("top"));
    }
    const seen = await walk();
    expect(seen[0]).toBe("top folder");
    expect(seen.at(-2)).toBe(`top${`/${name}`.repeat(17)} other`);
    expect(seen.at(-1)).toBe("z 0");
    execFileSync("rm", ["-rf", at("top")]);
  });

  it("name a folder other that became a link during the walk", async () => {
    await mkdir(at("outside"));
    await writeFile(at("outside/secret"), "");
    await mkdir(at("tree/a"), { recursive: true });
    await mkdir(at("tree/b"));
    const reader = await open(at("tree"));
    const seen: string[] = [];
    for await (const { path, kind } of reader.entries({ signal: never })) {
      seen.push(`${path} ${kind}`);
      if (path !== "a") continue;
      await rm(at("tree/b"), { recursive: true });
      await symlink(at("outside"), at("tree/b"));
    }
    expect(seen).toEqual(["a folder", "b other"]);
  });

  it("leave out what vanishes during the walk", async () => {
    for (let n = 100; n < 200; n++) await writeFile(at(`f${n}`), "");
    const reader = await open();
    let count = 0;
    for await (const _entry of reader.entries({ signal: never })) {
      count += 1;
      if (count === 1) for (let n = 140; n < 200; n++) await rm(at(`f${n}`));
    }
    expect(count).toBe(40);
  });

  it("are names as they are, and a name that is no UTF-8 is there as other", async () => {
    await writeFile(at("a\nb"), "");
    await writeFile(at("漢字🙂"), "");
    await writeFile(Buffer.concat([Buffer.from(`${folder}/bad`), Buffer.from([0xff])]), "");
    expect(await walk()).toEqual(["a\nb 0", "bad\ufffd other", "漢字🙂 0"]);
  });

  it("end when the signal says so", async () => {
    for (const name of ["a", "b", "c"]) await writeFile(at(name), "");
    const controller = new AbortController();
    const reader = await open();
    const seen: string[] = [];
    for await (const { path } of reader.entries({ signal: controller.signal })) {
      seen.push(path);
      controller.abort();
    }
    expect(seen).toEqual(["a"]);
  });

  it("go down a tree of hundreds of levels", async () => {
    let path = folder;
    for (let level = 0; level < 500; level++) path = join(path, "d");
    await mkdir(path, { recursive: true });
    expect((await walk()).length).toBe(500);
  });
});

describe("sortedNames", () => {
  it("gives all names in order, however small a page is", async () => {
    const names = Array.from({ length: 101 }, (_, index) => `n${(index * 37) % 101}`);
    for (const name of names) await writeFile(at(name), "");
    for (const page of [1, 7, 50, 101, 1_000]) {
      const seen: string[] = [];
      for await (const name of sortedNames(folder, page)) seen.push(name);
      expect(seen).toEqual([...names].sort());
    }
  });
});

describe("read", () => {
  it("reads below the tree and nowhere else", async () => {
    await mkdir(at("tree/sub"), { recursive: true });
    await writeFile(at("tree/sub/file"), "text");
    await writeFile(at("secret"), "secret");
    await symlink("../secret", at("tree/link"));
    await symlink("..", at("tree/up"));
    const reader = await open(at("tree"));
    const text = async (path: string): Promise<string> => {
      const result = await reader.read(path, 100);
      return result.ok ? Buffer.from(result.value.bytes).toString() : `${result.error.code}: ${result.error.message}`;
    };
    expect(await text("sub/file")).toBe("text");
    expect(await text("sub/../sub/file")).toBe("text");
    expect(await text("../secret")).toBe("path_outside: ../secret lies outside the tree.");
    expect(await text("sub/../../secret")).toBe("path_outside: sub/../../secret lies outside the tree.");
    expect(await text(at("secret"))).toBe(`path_outside: ${at("secret")} lies outside the tree.`);
    expect(await text("link")).toBe("path_outside: link goes through a link, and a tree follows none.");
    expect(await text("up/secret")).toBe("path_outside: up/secret goes through a link, and a tree follows none.");
    expect(await text("none")).toBe("path_unusable: none does not exist.");
    expect(await text("sub")).toBe("path_unusable: sub is a folder.");
    expect(await text("a\0")).toContain("holds a NUL byte");
  });
});

describe("openTree", () => {
  it("wants a folder that can be read", async () => {
    await writeFile(at("file"), "");
    expect(await tree(at("file"))).toMatchObject({ error: { message: `${at("file")} is not a folder.` } });
    expect(await tree(at("none"))).toMatchObject({ error: { message: `${at("none")} does not exist.` } });
    expect(await tree("/proc")).toMatchObject({ ok: true });
  });
});
