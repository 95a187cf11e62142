import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { GENESIS_HASH } from "../../core/session/index.ts";
import { HeadFile } from "./head-file.ts";
import { readHeadNotes, SLOT_BYTES } from "./head-notes.ts";
import { currentOwner } from "./owner.ts";
import { makeTestFolder } from "./testing.ts";

const folder = makeTestFolder();
afterAll(folder.remove);

const me = currentOwner();
const HASH = "ab".repeat(32);

function write(heads: string, rows: readonly number[]): HeadFile {
  const file = new HeadFile(heads, me);
  file.prepare();
  for (const row of rows) file.note(row, { row, hash: HASH });
  return file;
}

/** Makes the files look as if processes wrote them that have ended since. */
async function bury(heads: string): Promise<void> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  for (const name of readdirSync(heads)) {
    const parts = name.split(".");
    renameSync(join(heads, name), join(heads, [...parts.slice(0, 2), String(child.pid), ...parts.slice(3)].join(".")));
  }
}

describe("head files", () => {
  it("tell the greatest note of all, each file having two slots of ASCII", () => {
    const heads = folder.path("heads");
    const files = [write(heads, [1, 2, 5]), write(heads, [3, 4])];
    const { greatest, all, broken } = readHeadNotes(heads);
    expect(greatest).toEqual({ bootId: me.bootId, row: 5, appendRow: 5, hash: HASH });
    expect(all.map(({ row }) => row).sort()).toEqual([2, 3, 4, 5]);
    expect(broken).toEqual([]);
    for (const name of readdirSync(heads)) {
      expect(statSync(join(heads, name)).size).toBe(2 * SLOT_BYTES);
      expect(readFileSync(join(heads, name), "latin1")).toMatch(
        /^(rein-head 1 [0-9a-f-]{36} \d \d [0-9a-f]{64} [0-9a-f]{1,8} +){2}$/,
      );
    }
    for (const file of files) file.close();
  });

  it("note a change without an append together with the newest append before it", () => {
    const heads = folder.path("heads");
    const file = new HeadFile(heads, me);
    file.prepare();
    file.note(7, null);
    expect(readHeadNotes(heads).greatest).toEqual({ bootId: me.bootId, row: 7, appendRow: 0, hash: GENESIS_HASH });
    file.note(8, { row: 8, hash: HASH });
    file.note(9, null);
    expect(readHeadNotes(heads).greatest).toEqual({ bootId: me.bootId, row: 9, appendRow: 8, hash: HASH });
    file.close();
  });

  it("that dead processes left are taken over, and the greatest note stays until a greater one is written", async () => {
    const heads = folder.path("heads");
    for (const rows of [[4, 6], [10, 11], [8]]) write(heads, rows);
    await bury(heads);
    expect(readdirSync(heads)).toHaveLength(3);
    const heir = new HeadFile(heads, me);
    heir.prepare();
    expect(readdirSync(heads)).toHaveLength(1);
    expect(
      readHeadNotes(heads)
        .all.map(({ row }) => row)
        .sort(),
    ).toEqual([10, 11]);
    heir.note(12, null);
    expect(
      readHeadNotes(heads)
        .all.map(({ row }) => row)
        .sort(),
    ).toEqual([11, 12]);
    heir.close();
  });

  it("of this process are used again once their store is closed, and left alone before", () => {
    const heads = folder.path("heads");
    const open = write(heads, [1]);
    const closed = write(heads, [2]);
    closed.close();
    const next = write(heads, [3]);
    expect(readdirSync(heads)).toHaveLength(2);
    expect(
      readHeadNotes(heads)
        .all.map(({ row }) => row)
        .sort(),
    ).toEqual([1, 2, 3]);
    open.close();
    next.close();
  });

  it("of another boot are taken over, those of another pid namespace are not", () => {
    const heads = folder.path("heads");
    mkdirSync(heads, { recursive: true });
    for (const name of [`00000000.pid1.5.5.1.head`, `${me.bootId}.pid1.5.5.1.head`])
      writeFileSync(join(heads, name), Buffer.alloc(2 * SLOT_BYTES));
    write(heads, [1]).close();
    expect(readdirSync(heads)).toHaveLength(2);
    expect(readdirSync(heads)).toContain(`${me.bootId}.pid1.5.5.1.head`);
  });

  it("with a slot that is torn tell what the other says, and which file it is", () => {
    const heads = folder.path("heads");
    write(heads, [1, 2]).close();
    const [name = ""] = readdirSync(heads);
    const bytes = readFileSync(join(heads, name));
    bytes.fill("x", SLOT_BYTES + 30, SLOT_BYTES + 40);
    writeFileSync(join(heads, name), bytes);
    const { greatest, broken } = readHeadNotes(heads);
    expect(greatest?.row).toBe(1);
    expect(broken).toEqual([name]);
    writeFileSync(join(heads, name), bytes.subarray(0, 300));
    expect(readHeadNotes(heads)).toMatchObject({ greatest: { row: 1 }, broken: [name] });
  });

  it("that hold nothing or zeros, as after a loss of power, are no damage", () => {
    const heads = folder.path("heads");
    mkdirSync(heads, { recursive: true });
    writeFileSync(join(heads, "a.head"), "");
    writeFileSync(join(heads, "b.head"), Buffer.alloc(2 * SLOT_BYTES));
    writeFileSync(join(heads, "README"), "not one of them");
    expect(readHeadNotes(heads)).toEqual({ greatest: null, all: [], broken: [], files: 2 });
    expect(readHeadNotes(folder.path("missing"))).toEqual({ greatest: null, all: [], broken: [], files: 0 });
  });
});
