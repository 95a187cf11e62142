import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fileAt, inventoryCopy, ReinHome, scratchFolder } from "./testing/rein-process.ts";

const WRITES = ["run", "Examine this folder and write a report", "--deny", "Bash", "--ask", "wait", "--session", "w"];

test("a call that must be asked about ends the run with 4, and an approval lets it run", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const first = await rein.run([...WRITES, "--cwd", cwd]);
  expect(first.code).toBe(4);
  const call = /rein send w approve (\S+)\n/.exec(first.stderr)?.[1] ?? "";
  const tail = first.stderr.slice(first.stderr.indexOf("waiting for a person"));
  expect(tail.split("\n").slice(1, 6)).toEqual([
    "  write",
    "    path: report/README.md",
    "    content:",
    "      | # What was seen in this folder",
    "      | ",
  ]);
  expect(tail).toContain(
    `\n    rein send w approve ${call}\n    rein send w deny ${call}\nTo see all of it: rein show w --full\nThen to go on: rein resume w\n`,
  );
  expect(existsSync(join(cwd, "report"))).toBe(false);
  expect((await rein.run(["sessions"])).stdout).toMatch(/^w +waiting /m);

  expect(await rein.run(["send", "w", "deny", "1.0"])).toEqual({
    code: 2,
    stdout: "",
    stderr: `rein: No call 1.0 waits for an answer in session w. These wait: ${call} (write). [invalid_option]\n`,
  });
  expect(await rein.run(["send", "w", "approve", call])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Nobody drives session w: it stays until rein resume w\n",
  });
  expect(await rein.run(["send", "w", "deny", call])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("has been answered already"),
  });
  const resumed = await rein.run(["resume", "w"]);
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("\n  approved by a person: write report/README.md\n> write report/README.md\n");
  expect(existsSync(join(cwd, "report/README.md"))).toBe(true);
});

test("a denial reaches the model with its note", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const first = await rein.run([...WRITES, "--cwd", cwd, "--output", "json"]);
  const { waiting, reason } = JSON.parse(first.stdout);
  expect(reason).toBe("waiting");
  expect(waiting).toHaveLength(1);
  await rein.run(["send", "w", "deny", waiting[0], "--note", "not in this folder"]);
  const resumed = await rein.run(["resume", "w"]);
  expect(resumed.code).toBe(0);
  expect(resumed.stdout).toContain("not in this folder");
  expect(existsSync(join(cwd, "report"))).toBe(false);
});

/** A run whose one command goes on until the file `go` is there. */
async function busyRun(rein: ReinHome) {
  const cwd = scratchFolder();
  // It ends by itself too, should the test fail before it says so.
  const command = "echo > ready; n=0; until [ -e go ] || [ $n -ge 1500 ]; do sleep 0.02; n=$((n+1)); done";
  const running = rein.start([
    "run",
    `run \`${command}\``,
    "--cwd",
    cwd,
    "--allow",
    `Bash(${command})`,
    "--session",
    "b",
  ]);
  await fileAt(join(cwd, "ready"));
  return { running, go: () => writeFileSync(join(cwd, "go"), "") };
}

test("a running session takes commands in at once, says when it refuses one, and is not taken by another process", async () => {
  const rein = new ReinHome();
  const { running, go } = await busyRun(rein);
  const steered = await rein.run(["send", "b", "steer", "mind the suppliers"]);
  expect(steered).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Taken in: event \d+, input\.received\.\n$/),
  });
  const refused = await rein.run(["send", "b", "resume"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Refused: The session is running\. \(event \d+\)\n$/),
  });
  expect(await rein.run(["send", "b", "approve", "1.0"])).toEqual({
    code: 2,
    stdout: "",
    stderr: "rein: No call 1.0 waits for an answer in session b. No call of it waits for an answer. [invalid_option]\n",
  });
  const second = await rein.run(["resume", "b"]);
  expect(second.stderr).toContain(`is in the hands of process ${running.child.pid}`);
  expect(second.code).toBe(1);
  expect((await rein.run(["sessions"])).stdout).toMatch(
    new RegExp(`^b +running \\(process ${running.child.pid}\\) `, "m"),
  );
  const paused = await rein.run(["send", "b", "pause"]);
  expect(paused).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Taken in: event \d+, run\.paused\.\n$/) });
  go();
  const ended = await running.ended;
  expect(ended.code).toBe(4);
  expect(ended.stderr).toMatch(/\npaused · session b · .*\nTo go on: rein resume b\n$/);
  const resumed = await rein.run(["resume", "b"]);
  expect(resumed.code).toBe(0);
  const types = (await rein.events("b")).map(({ type }) => type);
  expect(types.filter((type) => type === "command.refused" || type.startsWith("run."))).toEqual([
    "run.started",
    "command.refused",
    "run.paused",
    "run.resumed",
    "run.ended",
  ]);
});

test.each([
  { command: ["interrupt"], told: /^Taken in: event \d+, run\.interrupted\.\n$/, code: 130, reason: "interrupted" },
  {
    command: ["kill", "enough"],
    told: /^Session b was taken by force and ended \(killed\)\./,
    code: 1,
    reason: "killed",
  },
])("$reason by another process", async ({ command, told, code, reason }) => {
  const rein = new ReinHome();
  const { running } = await busyRun(rein);
  const sent = await rein.run(["send", "b", ...command]);
  expect(sent).toMatchObject({ code: 0, stderr: expect.stringMatching(told) });
  const ended = await running.ended;
  expect(ended.code).toBe(code);
  expect((await rein.events("b")).at(-1)).toMatchObject({ type: "run.ended", data: { reason } });
  if (reason !== "killed") return;
  expect(ended.stderr).toMatch(
    /\nkilled: enough · session b · [^\n]*\nIt stays ended\. To go on from it: rein fork b\n$/,
  );
  expect(ended.stderr).not.toContain("lease_lost");
  expect(await rein.run(["send", "b", "steer", "hello"])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "rein: Session b was killed and takes nothing in any more. To go on from it: rein fork b. [invalid_option]\n",
  });
  expect(await rein.run(["resume", "b"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Session b was killed and stays ended. To go on from it: rein fork b\n",
  });
});

test("what cannot be taken in is said at once, and what stays says until when", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "e"]);
  const wrong = async (...args: readonly string[]) => {
    const { code, stderr } = await rein.run(["send", "e", ...args]);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await wrong("steer", "")).toBe(
    'rein: The message is empty. Say something: rein send SESSION steer "Mind the tests". [invalid_option]\n',
  );
  expect(await wrong("kill", " ")).toBe("rein: kill needs a reason. See `rein send --help`. [invalid_option]\n");
  expect(await wrong("interrupt")).toContain("Session e has no run that goes on.");
  expect(await wrong("resume")).toContain("Session e is completed: there is nothing to go on with.");
  expect(await rein.run(["send", "e", "follow-up", "echo two"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Nobody drives session e, its last run ended (done): it stays until rein resume e\n",
  });
  expect(await rein.run(["resume", "e"])).toMatchObject({ code: 0, stdout: "two\n" });
});
