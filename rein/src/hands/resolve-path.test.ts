import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { resolvePath } from "./resolve-path.ts";

let top: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "resolve-")));
  await mkdir(join(top, "a/b"), { recursive: true });
  await mkdir(join(top, "elsewhere"));
  await writeFile(join(top, "a/file"), "x");
  await symlink(join(top, "elsewhere"), join(top, "a/link"));
  await symlink("../elsewhere/none", join(top, "a/dangling"));
  await symlink("dangling", join(top, "a/twice"));
  await symlink("loop-b", join(top, "loop-a"));
  await symlink("loop-a", join(top, "loop-b"));
  await symlink("chain-1/x", join(top, "chain-0"));
  for (let n = 1; n < 60; n++) await symlink(`chain-${n + 1}`, join(top, `chain-${n}`));
});

afterAll(() => rm(top, { recursive: true, force: true }));

it.each([
  ["a/file", "a/file"],
  ["a/../a/./b", "a/b"],
  ["a/none/deeper", "a/none/deeper"],
  ["a/link", "elsewhere"],
  ["a/link/none/x", "elsewhere/none/x"],
  // Steps back are taken out first, as the tools do it: not into the folder above the link's target.
  ["a/link/../file", "a/file"],
  ["a/dangling", "elsewhere/none"],
  ["a/dangling/x", "elsewhere/none/x"],
  ["a/twice/x", "elsewhere/none/x"],
  [".", ""],
])("follows %s to %s", async (path, real) => {
  expect(await resolvePath(path, top)).toEqual({ ok: true, value: { real: join(top, real) } });
  expect(await resolvePath(join(top, path), "/nowhere")).toEqual({ ok: true, value: { real: join(top, real) } });
});

it.each([
  ["loop-a", "loop-a goes through too many links, or a loop of them."],
  ["loop-a/x", "loop-a/x goes through too many links, or a loop of them."],
  ["chain-0", "chain-0 goes through too many links, or a loop of them."],
  ["a/file/x", "a/file/x goes through something that is not a folder."],
  ["", "The path is empty."],
  ["a\0b", '"a\\u0000b" holds a NUL byte.'],
  ["a\udc00b", "a\ufffdb is not valid Unicode."],
  ["n".repeat(300), `${"n".repeat(200)}… is too long for the file system.`],
  ["n/".repeat(3_000), `${"n/".repeat(100)}… is too long for the file system.`],
])("says what is wrong with %j", async (path, message) => {
  expect(await resolvePath(path, top)).toMatchObject({ ok: false, error: { code: "path_unusable", message } });
});

it("says that a folder is closed", async () => {
  const closed = join(top, "closed");
  await mkdir(closed);
  await chmod(closed, 0);
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) await chmod(top, 0o755);
  if (isRoot) process.seteuid?.(65_534);
  try {
    expect(await resolvePath(join(closed, "x"), "/")).toMatchObject({
      ok: false,
      error: { code: "path_unusable", message: `${join(closed, "x")} may not be accessed: permission denied.` },
    });
  } finally {
    if (isRoot) process.seteuid?.(0);
    await chmod(closed, 0o755);
  }
});
