import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openFolder } from "./open-folder.ts";
import { TemporaryFiles } from "./temporary-files.ts";
import { testHands, testHost } from "./test-hands.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "hands-temporary-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

const clock = { now: () => Date.now(), id: () => "0123456789abcdef" } as const;

/** The name that a write of another process has, or had. */
const nameOf = (pid: number, bootId = "boot") =>
  new TemporaryFiles({ bootId, pidNamespace: "namespace" }, clock).newName().replace(`-${process.pid}-`, `-${pid}-`);

async function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "0"], { stdio: "ignore" });
  await once(child, "exit");
  return child.pid ?? 0;
}

async function sweep(files: TemporaryFiles): Promise<void> {
  const open = await openFolder(folder);
  if (open === null) throw new Error("no folder");
  await files.sweep(folder, open);
  await open.close();
}

test("what a process that has ended left goes, what one that lives is writing stays, and so does everything else", async () => {
  const dead = await deadPid();
  const gone = nameOf(dead);
  const others = [
    nameOf(process.pid),
    nameOf(process.ppid),
    nameOf(dead, "another boot"),
    ".rein-notes.tmp",
    `.rein-${dead}.tmp`,
    "file",
  ];
  for (const name of [gone, ...others]) writeFileSync(join(folder, name), "half");
  const files = new TemporaryFiles({ bootId: "boot", pidNamespace: "namespace" }, clock);
  await sweep(files);
  expect(readdirSync(folder).sort()).toEqual([...others].sort());
  // Each folder is looked through once.
  writeFileSync(join(folder, gone), "half");
  await sweep(files);
  expect(existsSync(join(folder, gone))).toBe(true);
});

test("what was left in another boot or pid namespace goes after a day", async () => {
  const [older, newer] = [nameOf(1, "another boot"), nameOf(2, "another boot")];
  const hour = 3_600;
  for (const [name, age] of [
    [older, 25 * hour],
    [newer, 23 * hour],
  ] as const) {
    writeFileSync(join(folder, name), "half");
    utimesSync(join(folder, name), Date.now() / 1_000 - age, Date.now() / 1_000 - age);
  }
  await sweep(new TemporaryFiles({ bootId: "boot", pidNamespace: "namespace" }, clock));
  expect(readdirSync(folder)).toEqual([newer]);
});

test("the next write into a folder takes away what a killed write left there", async () => {
  const first = testHands();
  await first.write(join(folder, "file"), "1");
  // A write that was killed before its rename, as it leaves the folder.
  const own = new TemporaryFiles(testHost, clock).newName();
  const left = own.replace(`-${process.pid}-`, `-${await deadPid()}-`);
  writeFileSync(join(folder, left), "half");
  const second = testHands();
  expect(await second.write(join(folder, "file"), "2")).toEqual({ ok: true, value: undefined });
  expect(readdirSync(folder)).toEqual(["file"]);
  expect(readFileSync(join(folder, "file"), "utf8")).toBe("2");
});
