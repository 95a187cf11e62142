import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { unwrap } from "rein";
import { currentOwner, openSqliteStore } from "rein/store";
import { beforeEach, expect, test } from "vitest";
import { ReinHome } from "./testing/rein-process.ts";

let rein: ReinHome;
beforeEach(() => {
  rein = new ReinHome();
});

test.each([
  ["an unknown command", ["dance"], /^unknown command 'dance'\. See rein --help\.$/],
  ["no task", ["run"], /^missing required argument 'task'\. See rein run --help\.$/],
  ["an empty task", ["run", " "], /^The task is empty\. .*\[invalid_option\]$/],
  [
    "a task without quotes",
    ["run", "do", "it"],
    /^too many arguments for 'run'\..* Put a text of several words in quotes\./,
  ],
  ["an unknown option", ["run", "x", "--bogus"], /^unknown option '--bogus'\. See rein run --help\.$/],
  [
    "a number that is none",
    ["run", "x", "--max-turns", "many"],
    /'many' is invalid\. Give a whole number from 1 to 1000000\./,
  ],
  [
    "a number too large",
    ["run", "x", "--rehearsal-delay", "60001"],
    /'60001' is invalid\. Give a whole number from 0 to 60000\./,
  ],
  [
    "a number that is no whole one",
    ["run", "x", "--rehearsal-delay", "1.5"],
    /'1\.5' is invalid\. Give a whole number/,
  ],
  ["a negative number", ["run", "x", "--max-turns", "-1"], /'-1' is invalid\. Give a whole number/],
  [
    "a number that is not a number",
    ["log", "x", "--from", "NaN"],
    /'NaN' is invalid\. Give a whole number from 1 on\./,
  ],
  [
    "a number beyond counting",
    ["fork", "x", "--at", "99999999999999999999"],
    /is invalid\. Give a whole number from 1 on\./,
  ],
  ["a number too small", ["run", "x", "--max-turns", "0"], /'0' is invalid\. Give a whole number from 1 to 1000000\./],
  [
    "no such folder",
    ["run", "x", "--cwd", "/no/such/folder"],
    /^There is no folder \/no\/such\/folder\. .*\[invalid_option\]$/,
  ],
  [
    "a file for a folder",
    ["run", "x", "--cwd", "package.json"],
    /package\.json is not a folder\. .*\[invalid_option\]$/,
  ],
  ["an unknown model", ["run", "x", "--model", "m"], /^There is no model "m" here\. .*\[model_unknown\]$/],
  [
    "a wildcard for a command",
    ["run", "x", "--allow", "Bash(npm *)"],
    /^The rule "Bash\(npm \*\)" holds a wildcard.* Give one rule for each exact command.*\[invalid_option\]$/,
  ],
  [
    "a rule that is none",
    ["run", "x", "--deny", "Write("],
    /^The rule "Write\(" is not of the form .*\[invalid_option\]$/,
  ],
  ["an id that is no name", ["run", "x", "--session", "../x"], /'\.\.\/x' is invalid\. Give up to 64 letters/],
  ["a word that is no choice", ["run", "x", "--ask", "maybe"], /'maybe' is invalid\. Allowed choices are deny, wait\./],
  [
    "a session without a store",
    ["log", "x"],
    /^There is no store at .*sessions\.db, so there is no session\. .*\[session_unknown\]$/,
  ],
  ["a store without a name", ["--store", "", "run", "x"], /is no path of a store\. .*\[invalid_option\]$/],
  [
    "a file that is not there",
    ["import", "/no/such/file"],
    /^There is no file \/no\/such\/file\. .*\[invalid_option\]$/,
  ],
] as const)("%s is told in one line, with 2", async (_, args, line) => {
  const { code, stdout, stderr } = await rein.run(args);
  expect(stderr).toMatch(/^rein: [^\n]*\n$/);
  expect(stderr.slice("rein: ".length, -1)).toMatch(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
});

test("a task that is no text is refused", async () => {
  for (const [input, what] of [
    ["a\0b", "holds a NUL character"],
    ["\n", "is empty"],
  ]) {
    const { code, stderr } = await rein.run(["run", "-"], input);
    expect(stderr).toMatch(new RegExp(`^rein: The task ${what}\\. .*\\n$`));
    expect(code).toBe(2);
  }
  const running = rein.start(["run", "-"]);
  running.child.stdin.end(Buffer.from([0x68, 0xff, 0xfe]));
  expect(await running.ended).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("holds bytes that are no UTF-8"),
  });
});

test("a task from standard input may hold the character that stands for what is no text", async () => {
  const { code, stderr } = await rein.run(["run", "-", "--session", "replacement"], "echo \ufffd");
  expect(stderr).not.toContain("UTF-8");
  expect(code).toBe(0);
});

test("an id from a foreign file is neither a command of the shell nor of the terminal", async () => {
  await rein.run(["run", "echo one", "--session", "plain"]);
  const file = join(rein.home, "evil.jsonl");
  const id = "evil; touch PWNED # \u001b[2J";
  const store = unwrap(await openSqliteStore({ path: rein.store }));
  const lease = unwrap(await store.acquire(id, currentOwner(), 60_000));
  const events = [{ type: "x.note", version: 1, at: 1, data: "1" }];
  unwrap(await store.commit({ appends: [{ stream: id, expectedSeq: 0, token: lease.token, events }] }));
  unwrap(await store.commit({ release: [{ session: id, token: lease.token }] }));
  await store.close();
  writeFileSync(file, (await rein.run(["export", id])).stdout);
  const other = new ReinHome();
  const { stderr, stdout, code } = await other.run(["import", file]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${id}\n` });
  expect(stderr).toContain("rein resume $'evil; touch PWNED # \\u001b[2J'\n");
  for (const args of [["sessions"], ["resume", id]]) {
    const said = await other.run(args);
    expect(said.stdout + said.stderr).not.toContain("\u001b");
  }
});

test("a user without a home is told what to set", async () => {
  const { ended } = rein.start(["run", "echo x"], { REIN_HOME: "", HOME: "", XDG_DATA_HOME: "" });
  expect(await ended).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "rein: This user has no home folder, so there is no place for sessions. Set REIN_HOME to a folder, or give --store PATH. [path_unusable]\n",
  });
});

test("a home that cannot be one is told", async () => {
  const file = join(rein.home, "file");
  writeFileSync(file, "");
  const { ended } = rein.start(["run", "echo x"], { REIN_HOME: file });
  expect(await ended).toMatchObject({ code: 1, stderr: expect.stringMatching(/^rein: .*\[path_unusable\]\n$/) });
});

test("commands for a session that is not there say so", async () => {
  await rein.run(["run", "echo x", "--session", "here"]);
  const commands = [
    ["log", "x"],
    ["show", "x"],
    ["resume", "x"],
    ["send", "x", "stop"],
    ["fork", "x"],
    ["export", "x"],
    ["verify", "x"],
    ["erase", "x", "1", "--yes"],
  ];
  for (const args of commands) {
    const { code, stdout, stderr } = await rein.run(args);
    expect(stderr).toMatch(/^rein: [^\n]*\[session_unknown\]\n$/);
    expect({ args, code, stdout }).toEqual({ args, code: 2, stdout: "" });
  }
});

test("a file that is no store is not touched", async () => {
  const file = join(rein.home, "sessions.db");
  writeFileSync(file, "some other file\n".repeat(100));
  const before = readFileSync(file);
  const { code, stderr } = await rein.run(["run", "echo x"]);
  expect(stderr).toMatch(/^rein: [^\n]*\n$/);
  expect(code).toBe(1);
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("REIN_DEBUG=1 shows where an error came from; without it no stack is shown", async () => {
  mkdirSync(join(rein.home, "sessions.db"));
  const plain = await rein.run(["run", "echo x"]);
  expect(plain.stderr).toMatch(/^rein: [^\n]*sessions\.db is a folder\. [^\n]*\[path_unusable\]\n$/);
  const { ended } = rein.start(["run", "echo x"], { REIN_DEBUG: "1" });
  expect((await ended).stderr).toMatch(/\n +at /);
});
