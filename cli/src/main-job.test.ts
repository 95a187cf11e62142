import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { inventoryCopy, ReinHome, scratchFolder } from "./testing/rein-process.ts";

const TASK = "Examine this folder and write a report";
const ALLOWED = ["--allow", "Bash(npm test)", "--allow", "Write(report/**)"];

test("the main job examines a folder, runs its tests and writes a report", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const { code, stdout, stderr } = await rein.run(["run", TASK, "--cwd", cwd, ...ALLOWED, "--session", "job"]);
  expect(code).toBe(0);
  expect(stdout).toContain("I am rule-based and no language model");
  expect(stdout).toContain("Failing: an item exactly at its level is due.");
  expect(stdout.endsWith("\n")).toBe(true);
  const lines = stderr.split("\n");
  expect(lines[0]).toMatch(/^session job · new · process \d+$/);
  expect(lines.slice(1, 5)).toEqual([
    `folder ${cwd}`,
    "model rehearsal: rule-based, no language model; needs no key and no network",
    `store ${rein.store}`,
    "hands plain: Contains nothing: files and processes are used with all the rights of this program.",
  ]);
  expect(lines).toContain("> shell npm test");
  expect(lines.at(-3)).toMatch(/^done · session job · \d+ tokens in, \d+ out in this session$/);
  expect(lines.at(-2)).toBe("To read it again: rein show job");
  const report = readFileSync(join(cwd, "report/README.md"), "utf8");
  expect(report).toContain("an item exactly at its level is due");
  expect(report.match(/^The failing line names .*$/gm)).toEqual([
    "The failing line names `isDue`, defined in `src/reorder.js:2`:",
  ]);

  const verified = await rein.run(["verify"]);
  expect(verified).toEqual({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^ok: \d+ events in 1 session, 0 erased\n$/),
  });
});

test("without rules nothing is run or written, and it says which rules are missing", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const { code, stdout, stderr } = await rein.run(["run", TASK, "--cwd", cwd, "--session", "d"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Not run: this was **denied**.");
  expect(stderr.trimEnd().split("\n").at(-1)).toBe(
    `Denied because no rule allows it. To let it run: rein run --session d --allow "Bash(npm test)" --allow "Write(report/README.md)" "${TASK}"`,
  );
  expect(existsSync(join(cwd, "report"))).toBe(false);
  const rules = ["--allow", "Bash(npm test)", "--allow", "Write(report/README.md)"];
  expect((await rein.run(["run", "--session", "d", ...rules, TASK])).code).toBe(0);
  expect(readFileSync(join(cwd, "report/README.md"), "utf8")).toContain("an item exactly at its level is due");
});

test("--output json puts one object on standard output", async () => {
  const rein = new ReinHome();
  const { code, stdout, stderr } = await rein.run(["run", "echo good morning", "--session", "j", "--output", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({
    session: "j",
    reason: "done",
    text: expect.stringContaining("good morning"),
    usage: { input: expect.any(Number), output: expect.any(Number), cost: 0 },
    waiting: [],
    error: null,
  });
  expect(stdout.split("\n")).toHaveLength(2);
  expect(stderr).toMatch(/^session j · new · process \d+\n/);
});

test("--output json tells a failure as one object too", async () => {
  const { code, stdout, stderr } = await new ReinHome().run(["run", "echo x", "--model", "gpt", "--output", "json"]);
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ session: null, reason: "failed", error: { code: "model_unknown" } });
  expect(stderr).toBe(
    'rein: There is no model "gpt" here. The only one so far is "rehearsal", which is rule-based and no language model. [model_unknown]\n',
  );
});

test("--output json tells that there is nothing to go on with as one object too", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo x", "--session", "j"]);
  const { code, stdout, stderr } = await rein.run(["resume", "j", "--output", "json"]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ session: "j", reason: "idle", error: null });
  expect(stderr).toContain("Session j is completed: there is nothing to go on with.\n");
});

test("the task can come by standard input", async () => {
  const { code, stdout } = await new ReinHome().run(["run", "-"], "echo by the pipe\n");
  expect(code).toBe(0);
  expect(stdout).toContain("by the pipe\n");
});

test("a limit ends the run with 3, and resume goes on", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  const allowed = ["--deny", "Bash", "--allow", "Write(report/**)"];
  const args = ["run", TASK, "--cwd", cwd, ...allowed, "--session", "short", "--max-turns", "2"];
  const first = await rein.run(args);
  expect(first.code).toBe(3);
  expect(first.stderr).toContain("stopped by the limit max_turns · session short");
  expect(existsSync(join(cwd, "report"))).toBe(false);
  const second = await rein.run(["resume", "short", "--max-turns", "50"]);
  expect(second.code).toBe(0);
  expect(second.stderr).toContain("The last run ended (max_turns); it goes on from there.\n");
  expect(existsSync(join(cwd, "report/README.md"))).toBe(true);
  expect((await rein.events("short")).filter(({ type }) => type === "settings.changed")).toEqual([
    expect.objectContaining({ data: { commandId: null, change: { limits: { maxTurns: 50 } } } }),
  ]);
});

test("a session takes a next task and keeps its folder", async () => {
  const rein = new ReinHome();
  const cwd = inventoryCopy();
  await rein.run(["run", "echo one", "--cwd", cwd, "--session", "talk"]);
  const second = await rein.run(["run", "read `package.json`", "--session", "talk"]);
  expect(second.code).toBe(0);
  expect(second.stdout).toContain('"name": "inventory"');
  expect(second.stderr).toContain(`folder ${cwd}\n`);
  expect(await rein.run(["run", "echo x", "--session", "talk", "--cwd", cwd])).toEqual({
    code: 2,
    stdout: "",
    stderr:
      "rein: Session talk exists, and --cwd belongs to the making of a session. Leave it out, or give another --session. [invalid_option]\n",
  });
});

test("the rule that is suggested for a file behind a link lets the call run", async () => {
  const rein = new ReinHome();
  const outside = realpathSync(scratchFolder());
  const cwd = realpathSync(scratchFolder());
  writeFileSync(join(outside, "it's a (very) odd *  name.md"), "found");
  symlinkSync(outside, join(cwd, "linked"));
  const task = "read `linked/it's a (very) odd *  name.md`";
  const denied = await rein.run(["run", task, "--cwd", cwd, "--session", "l"]);
  const typed = /To let it run: rein (.*)\n/.exec(denied.stderr)?.[1] ?? "";
  expect(typed).toContain(`--allow "Read(/${outside}/it's a [(]very[)] odd [*]  name.md)"`);
  const args = spawnSync("sh", ["-c", `printf '%s\\0' ${typed}`], { encoding: "utf8" })
    .stdout.split("\0")
    .slice(0, -1);
  const allowed = await rein.run(args);
  expect(allowed.stdout).toContain("found");
});

test("a call that no rule names exactly is said, with how to be asked", async () => {
  const rein = new ReinHome();
  const { stderr } = await rein.run(["run", "run `ls *`", "--session", "n"]);
  expect(stderr).toMatch(
    /\nDenied, and no rule says exactly that: shell ls \*\. To be asked: rein run --session n --ask wait '?"?run .ls \*.'?"?\n$/,
  );
});
