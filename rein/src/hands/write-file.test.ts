import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { type WriteRequest, writeRealFile } from "./write-file.ts";

let top: string;
let inside: string;
let outside: string;

beforeEach(async () => {
  top = realpathSync(await mkdtemp(join(tmpdir(), "hands-write-")));
  inside = join(top, "inside");
  outside = join(top, "outside");
  mkdirSync(inside);
  mkdirSync(outside);
});
afterEach(() => rmSync(top, { recursive: true }));

const bytes = Buffer.from("text");

/** A request whose temporary name is asked for between the look at the folder and the first write in it. */
function withMoment(real: string, moment: () => void): WriteRequest {
  return {
    real,
    named: real,
    bytes,
    get temporaryName() {
      moment();
      return ".new";
    },
  };
}

test.each(["inside", "inside/sub", "inside/sub/new"])(
  "a link that takes the place of %s in the middle of a write leads nowhere",
  async (swapped) => {
    mkdirSync(join(inside, "sub"));
    const real = join(inside, "sub/new/file");
    const place = join(top, swapped);
    mkdirSync(join(outside, "sub/new"), { recursive: true });
    mkdirSync(join(outside, "new"));
    const moment = (): void => {
      renameSync(place, `${place}-moved`);
      symlinkSync(outside, place);
    };
    expect(await writeRealFile(withMoment(real, moment))).toMatchObject({
      ok: false,
      error: { code: "path_outside", message: `${real} leads elsewhere than when it was judged.` },
    });
    expect(readdirSync(top, { recursive: true }).filter((path) => /file|\.new$/.test(String(path)))).toEqual([]);
  },
);

test("folders are made step by step, and a link in a step is not followed", async () => {
  symlinkSync(outside, join(inside, "link"));
  for (const path of ["link/file", "link/a/b/file"]) {
    const real = join(inside, path);
    const request = { real, named: real, bytes, temporaryName: ".new" };
    expect(await writeRealFile(request)).toMatchObject({ ok: false, error: { code: "path_outside" } });
  }
  expect(readdirSync(outside)).toEqual([]);
});

test("a folder that may be written and entered but not listed takes a file", async () => {
  const real = join(inside, "drop/deep/file");
  mkdirSync(dirname(dirname(real)), { mode: 0o333 });
  expect(await writeRealFile({ real, named: real, bytes, temporaryName: ".new" })).toEqual({
    ok: true,
    value: undefined,
  });
  expect(readFileSync(real, "utf8")).toBe("text");
});

/** Puts a link to the first folder in the place of the second and takes it away again, until it is ended. */
const SWAPPER = `
const { renameSync, symlinkSync, unlinkSync } = require("node:fs");
const [outside, place] = process.argv.slice(1);
process.stdout.write("ready");
const tried = (act) => { try { act(); return true; } catch { return false; } };
for (const end = Date.now() + 20_000; Date.now() < end; ) {
  if (!tried(() => renameSync(place, place + "-moved"))) continue;
  tried(() => symlinkSync(outside, place));
  tried(() => unlinkSync(place));
  tried(() => renameSync(place + "-moved", place));
}`;

test("a process that swaps the folder all the time never gets a write to go elsewhere", async () => {
  const place = join(inside, "place");
  mkdirSync(place);
  const swapper = spawn(process.execPath, ["-e", SWAPPER, outside, place], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void swapper.kill("SIGKILL"));
  await once(swapper.stdout, "data");
  const outcomes = new Set<string>();
  for (let number = 0; number < 400; number += 1) {
    const real = join(place, `deep-${number}/file`);
    const written = await writeRealFile({ real, named: real, bytes, temporaryName: ".new" });
    outcomes.add(written.ok ? "ok" : written.error.code);
  }
  swapper.kill("SIGKILL");
  await once(swapper, "exit");
  expect(readdirSync(outside, { recursive: true })).toEqual([]);
  for (const outcome of outcomes) expect(["ok", "path_outside", "path_unusable"]).toContain(outcome);
});
