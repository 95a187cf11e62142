import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ProcessIdentity } from "../core/ports.ts";
import { endGroup } from "./end-group.ts";
import { startByPs } from "./process-start.ts";
import { readMarked, readProcess, readProcessTable } from "./process-table.ts";
import { testHands, testHost } from "./test-hands.ts";

const { hands } = testHands();

const testHandsUrl = JSON.stringify(new URL("./test-hands.ts", import.meta.url).href);

let folder: string;
const strangers: ChildProcess[] = [];
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "survivors-")));
});
afterEach(async () => {
  for (const stranger of strangers.splice(0)) stranger.kill("SIGKILL");
  await rm(folder, { recursive: true, force: true });
});

/** A process with hands of its own that runs a command, and says its identity when it is announced. */
async function startLife(command: string, announce: "at once" | "never") {
  const script = `
    import { testHands } from ${testHandsUrl};
    const announce = (identity) => {
      console.log(JSON.stringify(identity));
      return ${announce === "at once" ? "Promise.resolve({ ok: true })" : "new Promise(() => {})"};
    };
    await testHands().run(${JSON.stringify(command)}, { announce, timeout: 600_000 });
  `;
  const flags = ["--experimental-strip-types", "--no-warnings", "--input-type=module", "-e", script];
  const life = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface({ input: life.stdout }), "line");
  const identity: ProcessIdentity = JSON.parse(String(line));
  return {
    identity,
    kill9: async () => {
      life.kill("SIGKILL");
      await once(life, "exit");
    },
  };
}

async function living(mark: string): Promise<number> {
  const marked = await readMarked(await readProcessTable(), mark);
  return marked.filter(({ isZombie }) => !isZombie).length;
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  let holds = false;
  for (let round = 0; round < 1_000 && !holds; round++) {
    holds = await condition();
    if (!holds) await sleep(10);
  }
  expect(holds).toBe(true);
}

async function standsStill(file: string): Promise<void> {
  const before = await readFile(file, "utf8");
  await sleep(100);
  expect(await readFile(file, "utf8")).toBe(before);
}

/** A process in its own group that is none of ours. */
async function startStranger(
  script = "echo; exec sleep 300",
): Promise<{ readonly pid: number; readonly start: string }> {
  const { REIN_MARK: _mark, ...env } = process.env;
  const stranger = spawn("sh", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"], env });
  strangers.push(stranger);
  await once(stranger.stdout, "data");
  const entry = readProcess(stranger.pid ?? 0);
  if (entry === null) throw new Error("no stranger");
  return entry;
}

const isAlive = (pid: number): boolean => readProcess(pid)?.isZombie === false;
const writer = (file: string): string => `while :; do echo x >> ${file}; sleep 0.02; done`;

describe("kill -9 of the process that holds the hands", () => {
  it("between launch and byte: the launcher ends and has run nothing", async () => {
    const { identity, kill9 } = await startLife(`touch ${at("x")}; ${writer(at("y"))}`, "never");
    expect(isAlive(identity.pid)).toBe(true);
    await kill9();
    await until(async () => (await living(identity.mark)) === 0);
    expect([existsSync(at("x")), existsSync(at("y"))]).toEqual([false, false]);
    expect(await hands.endSurvivors(identity)).toEqual({ ok: true, value: { ended: 0 } });
  });

  it.each([
    ["the command and a grandchild that writes", "sh -c '(WRITER) & wait' & wait", 3],
    ["a grandchild in the group, the command itself is gone", "(WRITER) & kill -9 $$", 1],
    ["a grandchild that left the group", "setsid sh -c 'WRITER' >/dev/null 2>&1 & wait", 2],
    [
      "a grandchild that left the group, the command itself is gone",
      "setsid sh -c 'WRITER' >/dev/null 2>&1 & kill -9 $$",
      1,
    ],
    ["a grandchild deaf to TERM", "sh -c \"trap '' TERM; WRITER\" & wait", 2],
    ["a grandchild without the mark, the command alive", "env -i PATH=$PATH sh -c 'WRITER' & wait", 2],
  ])("afterwards survivors are found and ended: %s", async (_name, command, least) => {
    const file = at("w");
    const { identity, kill9 } = await startLife(command.replaceAll("WRITER", writer(file)), "at once");
    await until(() => existsSync(file));
    if (command.includes("kill -9 $$")) await until(() => !isAlive(identity.pid));
    await kill9();

    const size = (await readFile(file, "utf8")).length;
    await until(async () => (await readFile(file, "utf8")).length > size);
    const result = await hands.endSurvivors(identity);
    if (!result.ok) throw new Error(result.error.message);
    expect(result.value.ended).toBeGreaterThanOrEqual(least);
    expect(await living(identity.mark)).toBe(0);
    await standsStill(file);
    expect(await hands.endSurvivors(identity)).toEqual({ ok: true, value: { ended: 0 } });
  });
});

describe("endSurvivors leaves alone", () => {
  const identityOf = (stranger: { readonly pid: number; readonly start: string }): ProcessIdentity => ({
    ...testHost,
    pid: stranger.pid,
    pidStart: stranger.start,
    group: stranger.pid,
    mark: "0123456789abcdef0123456789abcdef",
  });

  it("a stranger that got the same pid", async () => {
    const stranger = await startStranger();
    const earlier = { ...identityOf(stranger), pidStart: String(Number(stranger.start) - 1) };
    expect(await hands.endSurvivors(earlier)).toEqual({ ok: true, value: { ended: 0 } });
    expect(isAlive(stranger.pid)).toBe(true);
    // The control: with its own start time it is the one that was meant.
    expect(await hands.endSurvivors(identityOf(stranger))).toEqual({ ok: true, value: { ended: 1 } });
    expect(isAlive(stranger.pid)).toBe(false);
  });

  it.each([{ host: "other" }, { bootId: "other" }, { pidNamespace: "other" }])(
    "whoever is elsewhere: %j",
    async (other) => {
      const stranger = await startStranger();
      expect(await hands.endSurvivors({ ...identityOf(stranger), ...other })).toEqual({
        ok: true,
        value: { ended: 0 },
      });
      expect(isAlive(stranger.pid)).toBe(true);
    },
  );

  it.each([0, 1, -1, -5, 1.5, Number.NaN])("everybody, when the log names group %s", async (group) => {
    const stranger = await startStranger();
    expect(await hands.endSurvivors({ ...identityOf(stranger), pid: group, group })).toMatchObject({
      ok: false,
      error: { code: "process_failed" },
    });
    expect(isAlive(stranger.pid)).toBe(true);
  });

  it("everybody, when the log names no mark", async () => {
    const stranger = await startStranger();
    expect(await hands.endSurvivors({ ...identityOf(stranger), mark: "" })).toMatchObject({ ok: false });
    expect(isAlive(stranger.pid)).toBe(true);
  });

  it("the process it runs in", async () => {
    const script = `
      import { testHands, testHost } from ${testHandsUrl};
      const identity = {
        ...testHost, pid: process.ppid, group: process.ppid, pidStart: "0", mark: process.env.REIN_MARK,
      };
      console.log(JSON.stringify(await testHands().hands.endSurvivors(identity)));
    `;
    const { run } = testHands();
    const command = [
      process.execPath,
      "--experimental-strip-types",
      "--no-warnings",
      "--input-type=module",
      "-e",
      script,
    ];
    const result = await run(`${command.map((word) => `'${word}'`).join(" ")}; echo still here`);
    if (!result.ok) throw new Error(result.error.message);
    expect(result.value.stderr).toBe("");
    expect(result.value.stdout).toMatch(/^\{"ok":false,.*"code":"process_failed",.*\}\nstill here\n$/);
  });
});

describe("where there is no table of processes", () => {
  it("the group is ended if its leader is the one that was started, or it is our own", async () => {
    const target = (stranger: { readonly pid: number }, pidStart: string, isOwn = false) => {
      return { group: stranger.pid, pidStart, mark: "0123456789abcdef", isOwn };
    };
    const first = await startStranger();
    expect(await endGroup(target(first, "17"), 100)).toEqual({ ended: 0, left: [] });
    expect(isAlive(first.pid)).toBe(true);
    expect(await endGroup(target(first, first.start), 100)).toEqual({ ended: 1, left: [] });
    expect(isAlive(first.pid)).toBe(false);
    expect(await endGroup(target(first, first.start), 100)).toEqual({ ended: 0, left: [] });

    const second = await startStranger("trap '' TERM; echo; while :; do sleep 0.02; done");
    expect(await endGroup(target(second, "", true), 50)).toEqual({ ended: 1, left: [] });
    expect(isAlive(second.pid)).toBe(false);
  });
});

describe("start times", () => {
  it("by ps are the same each time, and differ from nobody's", async () => {
    const first = await startByPs(process.pid);
    expect(first).toMatchObject({ ok: true });
    expect(await startByPs(process.pid)).toEqual(first);
    expect(await startByPs(2 ** 22 + 1)).toMatchObject({ ok: false, error: { code: "process_failed" } });
  });
});
