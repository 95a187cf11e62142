import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, inject, onTestFinished, test } from "vitest";
import { ReinHome, scratchFolder } from "./testing/rein-process.ts";

const REIN = join(inject("command"), "dist/rein.js");

/** Runs the command in a shell with its standard output redirected, and gives its exit code and what it said. */
function sent({ home }: ReinHome, redirection: string, args: readonly string[]) {
  const script = `"$0" "$@" ${redirection}`;
  const { status, stderr } = spawnSync("/bin/sh", ["-c", script, process.execPath, REIN, ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, REIN_HOME: home },
  });
  return { status, stderr };
}

const LOST = /rein: The output can't be written \([^\n]*ENOSPC[^\n]*\), so it is not whole\. [^\n]*\[store_io\]\n$/;

test.runIf(existsSync("/dev/full"))(
  "output that its place does not take is told, with 1",
  async () => {
    const rein = new ReinHome();
    await rein.run(["run", "echo one", "--session", "a"]);
    const commands = [
      ["log", "a"],
      ["show", "a"],
      ["sessions"],
      ["verify"],
      ["export", "a"],
      ["--help"],
      ["run", "echo x", "--output", "json"],
      ["run", "echo x", "--output", "text"],
    ];
    for (const args of commands) {
      const { status, stderr } = sent(rein, "> /dev/full", args);
      expect(stderr, args.join(" ")).toMatch(LOST);
      expect(status, args.join(" ")).toBe(1);
    }
    expect((await rein.run(["verify"])).code).toBe(0);
  },
  120_000,
);

test("a reader who leaves hears nothing more and is told nothing", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  for (const [code, ...args] of [
    [0, "log", "a", "--json"],
    [1, "export", "a"],
  ] as const) {
    const running = rein.start(args);
    running.child.stdin.end();
    running.child.stdout.destroy();
    expect({ args, ...(await running.ended) }).toEqual({ args, code, stdout: "", stderr: "" });
  }
});

test.runIf(existsSync("/dev/full"))("what is said about it may be lost: what was asked for goes on", async () => {
  const rein = new ReinHome();
  const script = '"$0" "$@" 2> /dev/full';
  const ran = spawnSync(
    "/bin/sh",
    ["-c", script, process.execPath, REIN, "run", "echo one", "--session", "a", "--output", "json"],
    { encoding: "utf8", env: { PATH: process.env.PATH, REIN_HOME: rein.home } },
  );
  expect(ran.status).toBe(0);
  expect(JSON.parse(ran.stdout.trimEnd().split("\n").at(-1) ?? "")).toMatchObject({ session: "a", reason: "done" });
});

test("whoever asks for the version and leaves is told nothing", () => {
  const version = fileURLToPath(new URL("../bin/version.js", import.meta.url));
  const script = '{ "$0" -e "setTimeout(() => require(process.argv[1]), 300)" "$1"; echo $? >&2; } | true';
  const { stderr } = spawnSync("bash", ["-c", script, process.execPath, version], { encoding: "utf8" });
  expect(stderr).toBe("0\n");
});

const isRoot = process.getuid?.() === 0 && process.platform === "linux";

test.runIf(isRoot)("a file that a full disk cuts short is told, with 1", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  const whole = Buffer.byteLength((await rein.run(["export", "a"])).stdout);
  const disk = join(scratchFolder(), "disk");
  mkdirSync(disk);
  expect(spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", disk]).status).toBe(0);
  onTestFinished(() => void spawnSync("umount", [disk]));
  // Room for one page: the last write is taken in part, and nothing follows it that could fail.
  writeFileSync(join(disk, "ballast"), Buffer.alloc(60 * 1024));
  const file = join(disk, "a.jsonl");
  const { status, stderr } = sent(rein, `> ${file}`, ["export", "a"]);
  expect(statSync(file).size).toBeLessThan(whole);
  expect(stderr).toMatch(LOST);
  expect(status).toBe(1);
});
