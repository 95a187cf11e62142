import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fail, ok } from "../core/errors.ts";
import type { ProcessIdentity, ProcessResult } from "../core/ports.ts";
import { readMarked, readProcess, readProcessTable } from "./process-table.ts";
import { testHands, testHost } from "./test-hands.ts";

const { hands, permit, run, runArgv } = testHands();

let folder: string;
const at = (name: string): string => join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "run-")));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

function value(result: Awaited<ReturnType<typeof run>>): ProcessResult {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
}

/** Keeps the identity it is told. */
function recorder() {
  const seen: ProcessIdentity[] = [];
  return {
    seen,
    announce: async (identity: ProcessIdentity) => {
      seen.push(identity);
      return ok(undefined);
    },
    get identity(): ProcessIdentity {
      const [first] = seen;
      if (first === undefined) throw new Error("nothing was announced");
      return first;
    },
  };
}

/** Pids of the living that carry a mark. */
async function alive(mark: string): Promise<readonly number[]> {
  const marked = await readMarked(await readProcessTable(), mark);
  return marked.filter(({ isZombie }) => !isZombie).map(({ pid }) => pid);
}

async function until(condition: () => boolean): Promise<void> {
  for (let round = 0; round < 1_000 && !condition(); round++) await sleep(10);
  expect(condition()).toBe(true);
}

describe("a command", () => {
  it("that begins with a dash is a command, not an option of the shell", async () => {
    for (const command of ["-x", "--version", "-s"]) {
      const { exitCode, stdout, stderr } = value(await run(command, {}, folder));
      expect({ exitCode, stdout }).toEqual({ exitCode: 127, stdout: "" });
      expect(stderr).toContain("not found");
    }
  });

  it("runs in its folder and says how it ended", async () => {
    expect(value(await run("pwd; echo problem >&2; exit 3", {}, folder))).toEqual({
      exitCode: 3,
      signal: null,
      stdout: `${folder}\n`,
      stderr: "problem\n",
      stdoutBytes: folder.length + 1,
      stderrBytes: 8,
      timedOut: false,
    });
    expect(value(await run("kill -9 $$"))).toMatchObject({ exitCode: null, signal: "SIGKILL", timedOut: false });
  });

  it("by its arguments runs without a shell", async () => {
    const hostile = ["$(touch x)", "a b", "", "-n", "`id`", "; exit 9", "'\"\\", "*", "a\nb", "漢字"];
    const script = "process.stdout.write(JSON.stringify(process.argv.slice(1)))";
    const result = value(await runArgv([process.execPath, "-e", script, "--", ...hostile], {}, folder));
    expect(JSON.parse(result.stdout)).toEqual(hostile);
    expect(existsSync(at("x"))).toBe(false);
  });

  it("of several lines with quotes comes to the shell as it is", async () => {
    expect(value(await run(`cat <<'X'\n$HOME "quoted" 'single' \\n\nX\necho "$0"`, {}, folder)).stdout).toMatch(
      /^\$HOME "quoted" 'single' \\n\n\/bin\/(ba)?sh\n$/,
    );
  });

  it("that is not there ends with 127", async () => {
    expect(value(await run("no-such-program-here"))).toMatchObject({ exitCode: 127 });
    // A closed folder in PATH would make it 126.
    const result = value(await testHands({ pass: { PATH: "/usr/bin:/bin" } }).runArgv(["no-such-program-here"]));
    expect(result).toMatchObject({ exitCode: 127, stdout: "" });
    expect(result.stderr).toContain("no-such-program-here");
  });

  it("has an empty input, or the text it is given", async () => {
    expect(value(await run("cat; echo end")).stdout).toBe("end\n");
    const text = "line\n".repeat(100_000);
    expect(value(await run("cat", { stdin: text })).stdout).toBe(text);
    expect(value(await run("exit 0", { stdin: text }))).toMatchObject({ exitCode: 0 });
  });

  it("inherits nothing but a few variables and its mark", async () => {
    const secretive = testHands({
      env: {
        PATH: process.env.PATH,
        HOME: "/home/x",
        LC_ALL: "C",
        TZ: "UTC",
        API_KEY: "secret",
        NODE_OPTIONS: "--x",
        LD_PRELOAD: "x",
      },
      pass: { CI: "1" },
      shell: "/bin/sh",
    });
    const { identity, announce } = recorderOf();
    const result = value(await secretive.runArgv(["env"], { announce }));
    const names = result.stdout
      .trim()
      .split("\n")
      .map((line) => line.split("=")[0]);
    expect(names.sort()).toEqual(["CI", "HOME", "LC_ALL", "PATH", "PWD", "REIN_MARK", "TZ"]);
    expect(result.stdout).toContain(`REIN_MARK=${identity().mark}\n`);
  });

  it("adds its mark to those of the process that started us", async () => {
    const nested = testHands({ env: { ...process.env, REIN_MARK: "outer-1:outer-2" } });
    const { identity, announce } = recorderOf();
    expect(value(await nested.run("echo $REIN_MARK", { announce })).stdout).toBe(
      `outer-1:outer-2:${identity().mark}\n`,
    );
  });

  it("does not hold the launcher's descriptor", async () => {
    expect(value(await run("readlink /proc/$$/fd/3 || echo none")).stdout).toBe("none\n");
  });
});

function recorderOf() {
  const made = recorder();
  return { announce: made.announce, identity: () => made.identity };
}

describe("what is wrong is said, and nothing runs", () => {
  it.each([
    ["an empty command", " \n", { code: "process_failed", message: "The command is empty." }],
    ["no program", "argv", { code: "process_failed", message: "The command is empty." }],
    ["a NUL byte", "echo a\0b", { code: "process_failed", message: "The command holds a NUL byte." }],
    ["a command too long for the system", `: ${"x".repeat(300_000)}`, { code: "process_failed" }],
  ])("%s", async (_name, command, error) => {
    const { seen, announce } = recorder();
    const result = command === "argv" ? await runArgv([], { announce }) : await run(command, { announce });
    expect(result).toMatchObject({ ok: false, error });
    expect(seen).toEqual([]);
  });

  it("a folder that is none", async () => {
    await writeFile(at("file"), "");
    await symlink("loop", at("loop"));
    for (const [cwd, message] of [
      [at("none"), `${at("none")} does not exist.`],
      [at("file"), `${at("file")} is not a folder.`],
      [at("loop"), `${at("loop")} goes through too many links, or a loop of them.`],
      ["relative", "relative is not an absolute path."],
    ] as const) {
      expect(await run("true", {}, cwd)).toMatchObject({ error: { code: "path_unusable", message } });
    }
  });

  it("a time-out that is none", async () => {
    expect(await run("true", { timeout: Number.NaN })).toMatchObject({ error: { code: "invalid_option" } });
    expect(await run("true", { timeout: -1 })).toMatchObject({ error: { code: "invalid_option" } });
    expect(value(await run("true", { timeout: Number.POSITIVE_INFINITY }))).toMatchObject({ exitCode: 0 });
  });

  it("a permit for another command", async () => {
    const { seen, announce } = recorder();
    const effect = { kind: "execute", command: `touch ${at("x")}`, cwd: folder } as const;
    const other = permit({ ...effect, command: "true" });
    const options = { announce, signal: new AbortController().signal, timeout: 1_000 };
    expect(await hands.execute(other, effect, options)).toMatchObject({ error: { code: "permit_mismatch" } });
    expect(seen).toEqual([]);
    expect(existsSync(at("x"))).toBe(false);
  });
});

describe("the order: launcher, announcement, byte", () => {
  it("the launcher waits while it is announced, and the identity is that of the process", async () => {
    let waiting: unknown;
    const announce = async (identity: ProcessIdentity) => {
      await sleep(50);
      waiting = { command: await readFile(`/proc/${identity.pid}/comm`, "utf8"), has: existsSync(at("x")) };
      expect(readProcess(identity.pid)).toMatchObject({
        group: identity.group,
        session: identity.group,
        start: identity.pidStart,
      });
      return ok(undefined);
    };
    const { identity, announce: keep } = recorderOf();
    const both = async (told: ProcessIdentity) => {
      await keep(told);
      return announce(told);
    };
    const result = value(await run(`touch ${at("x")}; echo $$`, { announce: both }));
    expect(waiting).toEqual({ command: "sh\n", has: false });
    expect(existsSync(at("x"))).toBe(true);
    expect(result.stdout).toBe(`${identity().pid}\n`);
    const { pid, pidStart, mark } = identity();
    expect(identity()).toEqual({ ...testHost, pid, pidStart, group: pid, mark });
  });

  it("a refused announcement is the result, and nothing runs", async () => {
    let mark = "";
    const result = await run(`touch ${at("x")}`, {
      announce: async (identity) => {
        mark = identity.mark;
        return fail("lease_lost", "Lost.", "Stop.");
      },
    });
    expect(result).toMatchObject({ ok: false, error: { code: "lease_lost", message: "Lost." } });
    expect(await alive(mark)).toEqual([]);
    expect(existsSync(at("x"))).toBe(false);
  });

  it("an announcement that throws counts as refused", async () => {
    const result = await run(`touch ${at("x")}`, { announce: () => Promise.reject(new Error("store gone")) });
    expect(result).toMatchObject({ ok: false, error: { code: "process_failed", message: "store gone" } });
    expect(existsSync(at("x"))).toBe(false);
  });

  it("an interrupt before or while it is announced: nothing runs", async () => {
    const controller = new AbortController();
    let mark = "";
    const result = await run(`touch ${at("x")}`, {
      signal: controller.signal,
      announce: async (identity) => {
        mark = identity.mark;
        controller.abort();
        await sleep(50);
        return ok(undefined);
      },
    });
    expect(result).toMatchObject({ ok: false, error: { code: "aborted" } });
    expect(await alive(mark)).toEqual([]);
    const { seen, announce } = recorder();
    expect(await run(`touch ${at("x")}`, { signal: AbortSignal.abort(), announce })).toMatchObject({
      error: { code: "aborted" },
    });
    expect(seen).toEqual([]);
    expect(existsSync(at("x"))).toBe(false);
  });

  it("a launcher that is killed while it waits is a failed process", async () => {
    const result = await run(`touch ${at("x")}`, {
      announce: async ({ pid }) => {
        process.kill(pid, "SIGKILL");
        return ok(undefined);
      },
    });
    expect(value(result)).toMatchObject({ exitCode: null, signal: "SIGKILL" });
    expect(existsSync(at("x"))).toBe(false);
  });
});

describe("the end of a call is the end of all it has started", () => {
  const writer = (file: string) => `while :; do echo x >> ${file}; sleep 0.02; done`;
  const trees: readonly (readonly [name: string, command: string])[] = [
    ["a child in the background", "(sleep 300 & echo started); sleep 300 & echo ready"],
    ["a grandchild that writes", "sh -c 'sh -c \"WRITER\" & sleep 300' & echo ready"],
    ["one that left the group", "setsid sh -c 'WRITER' >/dev/null 2>&1 & echo ready"],
    ["one that left the group and holds the output open", "setsid sh -c 'WRITER' & echo ready"],
    ["one that is deaf to TERM", "sh -c \"trap '' TERM; WRITER\" & echo ready"],
    ["one that is deaf and has left", "setsid sh -c \"trap '' TERM; WRITER\" & echo ready"],
    ["a nested session without its mark", "setsid sh -c \"env -i PATH=$PATH sh -c 'WRITER' & sleep 300\" & echo ready"],
    ["one in the group without its mark", "env -i PATH=$PATH sh -c 'WRITER' & echo ready"],
    ["one that is stopped", "sh -c 'kill -STOP $$; WRITER' & echo ready"],
    ["a job of an interactive shell", "bash -c 'set -m; (WRITER) & echo ready'"],
  ];
  const quiet = async (mark: string, group: number, file: string): Promise<void> => {
    expect(await alive(mark)).toEqual([]);
    const members = (await readProcessTable()).filter(({ group: its, session }) => its === group || session === group);
    expect(members.filter(({ isZombie }) => !isZombie)).toEqual([]);
    const before = existsSync(file) ? await readFile(file, "utf8") : "";
    await sleep(100);
    expect(existsSync(file) ? await readFile(file, "utf8") : "").toBe(before);
  };

  it.each(trees)("after a normal end: %s", async (_name, command) => {
    const { identity, announce } = recorderOf();
    const file = at("w");
    const result = value(await run(command.replaceAll("WRITER", writer(file)), { announce }));
    expect(result).toMatchObject({ exitCode: 0, signal: null, timedOut: false });
    expect(result.stdout).toContain("ready\n");
    await quiet(identity().mark, identity().group, file);
  });

  it.each(trees)("after an interrupt: %s", async (_name, command) => {
    const { identity, announce } = recorderOf();
    const controller = new AbortController();
    const file = at("w");
    const onOutput = (_stream: string, text: string): void => {
      if (text.includes("ready")) controller.abort();
    };
    const options = { announce, onOutput, signal: controller.signal };
    const result = value(await run(`${command.replaceAll("WRITER", writer(file))}; sleep 300`, options));
    expect(result).toMatchObject({ exitCode: null, timedOut: false, stdout: expect.stringContaining("ready\n") });
    await quiet(identity().mark, identity().group, file);
  });

  it("after a time-out", async () => {
    const { identity, announce } = recorderOf();
    const file = at("w");
    const result = value(await run(`(${writer(file)}) & sleep 300`, { announce, timeout: 100 }));
    expect(result).toMatchObject({ exitCode: null, signal: "SIGTERM", timedOut: true });
    await quiet(identity().mark, identity().group, file);
  });

  it("after an interrupt, and what came until then is kept", async () => {
    const { identity, announce } = recorderOf();
    const controller = new AbortController();
    const file = at("w");
    const running = run(`(${writer(file)}) & echo begun; sleep 300`, {
      announce,
      signal: controller.signal,
      onOutput: () => controller.abort(),
    });
    expect(value(await running)).toMatchObject({
      exitCode: null,
      signal: "SIGTERM",
      timedOut: false,
      stdout: "begun\n",
    });
    await quiet(identity().mark, identity().group, file);
  });

  it("after dispose, which waits for all; then nothing starts any more", async () => {
    const own = testHands();
    const recorders = [recorderOf(), recorderOf()];
    const files = [at("a"), at("b")];
    const running = files.map((file, index) =>
      own.run(`(${writer(file)}) & wait`, { announce: recorders[index]?.announce ?? (async () => ok(undefined)) }),
    );
    await until(() => files.every((file) => existsSync(file)));
    await own.hands.dispose();
    for (const [index, file] of files.entries()) {
      const { mark, group } = recorders[index]?.identity() ?? { mark: "", group: 0 };
      await quiet(mark, group, file);
    }
    expect((await Promise.all(running)).every((result) => result.ok)).toBe(true);
    expect(await own.run("true")).toMatchObject({ ok: false, error: { code: "invalid_state" } });
    await own.hands.dispose();
  });

  it("leaves others alone", async () => {
    const other = testHands();
    const controller = new AbortController();
    const file = at("other");
    const running = other.run(`echo x > ${file}; sleep 300`, { signal: controller.signal });
    await until(() => existsSync(file));
    await run("sleep 300 & exit 0");
    let ended = false;
    void running.then(() => {
      ended = true;
    });
    await sleep(50);
    expect(ended).toBe(false);
    controller.abort();
    expect(value(await running)).toMatchObject({ signal: "SIGTERM" });
  });
});

describe("output", () => {
  it("comes live with whole characters, and all of it at the end", async () => {
    const live: string[] = [];
    const result = value(
      await run("printf '\\360\\237'; sleep 0.1; printf '\\231\\202\\303'; echo e >&2", {
        onOutput: (stream, text) => live.push(`${stream} ${text}`),
      }),
    );
    expect(result).toMatchObject({ stdout: "🙂\ufffd", stderr: "e\n", stdoutBytes: 5, stderrBytes: 2 });
    expect(live.filter((part) => part.startsWith("stdout")).join("|")).toBe("stdout 🙂|stdout \ufffd");
    expect(live).toContain("stderr e\n");
  });

  it("of a helper that ends right after the command is kept", async () => {
    expect(value(await run("echo a; (sleep 0.01; echo late) & exit 0")).stdout).toBe("a\nlate\n");
  });

  it("is cut to head and tail with its real size", async () => {
    const result = value(await run("seq 1 100000", { maxOutput: 20 }));
    expect(result.stdout).toBe("1\n2\n3\n4\n5\n\n[... 588875 bytes left out ...]\n99\n100000\n");
    expect(result.stdoutBytes).toBe(588_895);
  });

  it("of any length takes little memory", async () => {
    const before = process.memoryUsage();
    const result = value(await run("head -c 250000000 /dev/zero; head -c 50000000 /dev/zero >&2"));
    const after = process.memoryUsage();
    expect([result.stdoutBytes, result.stderrBytes]).toEqual([250_000_000, 50_000_000]);
    expect(result.stdout.length).toBeLessThan(1_100_000);
    expect(after.rss - before.rss).toBeLessThan(120_000_000);
  });
});
