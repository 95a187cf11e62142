import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileAt, inventoryCopy, ReinHome, scratchFolder } from "./testing/rein-process.ts";

const JOB = [
  "run",
  "Examine this folder and write a report",
  "--deny",
  "Bash",
  "--allow",
  "Write(report/**)",
  "--rehearsal-delay",
  "20",
];

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s interrupts the run, says how to go on, and resume goes on",
  async (signal) => {
    const rein = new ReinHome();
    const cwd = inventoryCopy();
    const running = rein.start([...JOB, "--cwd", cwd, "--session", "i"]);
    await running.saysOnError("> read package.json");
    running.child.kill(signal);
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    expect(stderr).toContain("! interrupted; once more to leave at once\n");
    expect(stderr).toMatch(/\ninterrupted · session i · .*\nTo go on: rein resume i\n$/);
    expect((await rein.events("i")).at(-1)).toMatchObject({ type: "run.ended", data: { reason: "interrupted" } });
    if (signal !== "SIGINT") return;
    expect((await rein.run(["resume", "i"])).code).toBe(0);
    expect(existsSync(join(cwd, "report/README.md"))).toBe(true);
  },
);

test("a second SIGINT leaves at once", async () => {
  const rein = new ReinHome();
  const cwd = scratchFolder();
  // A command that will not end when it is asked to keeps the graceful way long enough.
  const command = "trap '' TERM INT; echo > ready; sleep 30";
  const running = rein.start([
    "run",
    `run \`${command}\``,
    "--cwd",
    cwd,
    "--allow",
    `Bash(${command})`,
    "--session",
    "i",
  ]);
  await fileAt(join(cwd, "ready"));
  running.child.kill("SIGINT");
  await running.saysOnError("! interrupted");
  const again = setInterval(() => running.child.kill("SIGINT"), 100);
  const { code, stderr } = await running.ended;
  clearInterval(again);
  expect(code).toBe(130);
  expect(stderr.trimEnd().endsWith("! interrupted; once more to leave at once")).toBe(true);
  const resumed = await rein.run(["resume", "i"]);
  expect(resumed.stderr).toContain("session i");
});

test("a closed pipe interrupts the run, which ends quietly", async () => {
  const rein = new ReinHome();
  const running = rein.start([...JOB, "--cwd", inventoryCopy(), "--session", "p"]);
  await running.saysOnError("hands plain");
  running.child.stdout.destroy();
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr.trimEnd().split("\n").at(-1)).not.toContain("rein:");
  expect(stderr).not.toContain("To go on");
  expect((await rein.events("p")).at(-1)).toMatchObject({ type: "run.ended", data: { reason: "interrupted" } });
});

test("a reader that has seen enough of a log is no failure", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo x", "--session", "l"]);
  const running = rein.start(["log", "l", "--follow"]);
  await once(running.child.stdout, "data");
  running.child.stdout.destroy();
  await rein.run(["run", "echo y", "--session", "l"]);
  expect(await running.ended).toMatchObject({ code: 0, stderr: "" });
});
