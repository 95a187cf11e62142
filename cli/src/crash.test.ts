import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { fileAt, inventoryCopy, ReinHome, scratchFolder } from "./testing/rein-process.ts";

const JOB = [
  "run",
  "Examine this folder and write a report",
  "--allow",
  "Bash(npm test)",
  "--allow",
  "Write(report/**)",
  "--rehearsal-delay",
  "20",
];

test("kill -9 in the middle: resume goes on, and nothing that was in the log is lost or changed", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const running = rein.start([...JOB, "--cwd", cwd, "--session", "killed"]);
  await running.saysOnError("< read: ");
  running.child.kill("SIGKILL");
  expect((await running.ended).code).toBe(null);
  const before = await rein.events("killed");
  expect(existsSync(join(cwd, "report"))).toBe(false);
  expect((await rein.run(["sessions"])).stdout).toMatch(/^killed +unfinished /m);

  const resumed = await rein.run(["resume", "killed"]);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toMatch(/^session killed · goes on after a crash, \d+ events read \(cold\)/);
  expect(resumed.stderr).toContain("\nTaken up after a crash: no call had to be repeated or given up.\n");
  const after = await rein.events("killed");
  expect(after.slice(0, before.length)).toEqual(before);
  expect(after[before.length]).toMatchObject({ type: "brain.woke", data: { how: "recovered" } });
  expect(after.filter(({ type, data }) => type === "tool.finished" && data.outcome !== "ok")).toEqual([]);
  expect(readFileSync(join(cwd, "report/README.md"), "utf8")).toContain("an item exactly at its level is due");
  expect((await rein.run(["verify"])).code).toBe(0);
});

test("kill -9 while a command runs: it is ended first, told as unknown, and not silently repeated", async () => {
  const rein = new ReinHome();
  const cwd = scratchFolder();
  const beats = join(cwd, "beats.txt");
  const command = "while true; do echo beat >> beats.txt; sleep 0.02; done";
  const running = rein.start([
    "run",
    `run \`${command}\``,
    "--cwd",
    cwd,
    "--allow",
    `Bash(${command})`,
    "--session",
    "s",
  ]);
  await fileAt(beats);
  running.child.kill("SIGKILL");
  await running.ended;
  const orphaned = statSync(beats).size;
  while (statSync(beats).size === orphaned) await setTimeout(20);

  const resumed = await rein.run(["resume", "s"]);
  expect(resumed.code).toBe(0);
  expect(resumed.stdout).toContain("`shell` did not succeed (outcome_unknown)");
  expect(resumed.stderr).toContain(
    "\nTaken up after a crash: of 1 call nobody knows whether it took effect, and the model was told so.\n",
  );
  const ended = statSync(beats).size;
  await setTimeout(200);
  expect(statSync(beats).size).toBe(ended);
  const events = await rein.events("s");
  expect(events.filter(({ type }) => type === "process.started")).toHaveLength(1);
  expect(events.filter(({ type }) => type === "tool.finished").map(({ data }) => data.outcome)).toEqual(["unknown"]);
});
