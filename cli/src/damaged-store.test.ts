import { cpSync, existsSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { ReinHome } from "./testing/rein-process.ts";

const READING = [["sessions"], ["verify"], ["log", "a"], ["show", "a"], ["export", "a"]] as const;
const WRITING = [
  ["run", "echo x"],
  ["resume", "a"],
  ["send", "a", "stop"],
  ["fork", "a"],
  ["erase", "a", "3", "--yes"],
] as const;

async function twoSessions(): Promise<ReinHome> {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  await rein.run(["run", "echo two", "--session", "b"]);
  for (const end of ["-wal", "-shm"]) rmSync(`${rein.store}${end}`, { force: true });
  return rein;
}

test.each([
  ["cut to nothing", (store: string) => truncateSync(store, 0), "is empty", 0],
  ["deleted", (store: string) => rmSync(store), "is gone", undefined],
])(
  "a store that was %s while its head files are there is damaged to every command, and nothing is made",
  async (_, harm, what, size) => {
    const rein = await twoSessions();
    harm(rein.store);
    const before = readdirSync(rein.home);
    for (const args of [...READING, ...WRITING]) {
      const { code, stdout, stderr } = await rein.run(args);
      expect(stderr).toMatch(
        new RegExp(
          `^rein: ${rein.store} ${what}, but the head files in ${rein.store}-heads tell of \\d+ changes: .*\\[store_damaged\\]\\n$`,
        ),
      );
      expect({ args, code, stdout }).toEqual({ args, code: 1, stdout: "" });
    }
    expect(readdirSync(rein.home)).toEqual(before);
    expect(statSync(rein.store, { throwIfNoEntry: false })?.size).toBe(size);
    // Without its head files, it is a place where nothing has been yet.
    rmSync(`${rein.store}-heads`, { recursive: true });
    expect(await rein.run(["sessions"])).toMatchObject({ code: 0, stdout: "" });
    expect((await rein.run(["run", "echo x"])).code).toBe(0);
  },
  120_000,
);

test("a store that was cut is reported with its place and the sessions that cannot be read", async () => {
  const rein = await twoSessions();
  const size = statSync(rein.store).size;
  // Behind the streams and their names, before the events.
  const left = 6 * 4_096;
  truncateSync(rein.store, left);
  const verified = await rein.run(["verify"]);
  expect(verified).toMatchObject({ code: 1, stderr: "" });
  expect(verified.stdout).toContain(
    `${rein.store} has ${left} of ${size} bytes: pages 7 to ${size / 4_096} are missing`,
  );
  for (const session of ["a", "b"]) expect(verified.stdout).toContain(`(session ${session}, `);
  expect(verified.stdout).toMatch(/\nnot ok: .*\n$/);
  expect(await rein.run(["run", "echo x"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`of ${size} bytes`),
  });
  expect(statSync(rein.store).size).toBe(left);
});

test("a store that lost all but its first page is told at once, without a word that leads back to verify", async () => {
  const rein = await twoSessions();
  truncateSync(rein.store, 4_096);
  const { code, stdout, stderr } = await rein.run(["verify"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toMatch(
    / has 4096 of \d+ bytes: .* Restore the files from a backup or an export\. \[store_damaged\]\n$/,
  );
  expect(stderr).not.toContain("rein verify");
});

test("what is left of a damaged session is read, the damage is said, and the command fails", async () => {
  const rein = await twoSessions();
  const whole = (await rein.run(["log", "a"])).stdout.trimEnd().split("\n");
  const db = new DatabaseSync(rein.store);
  db.exec(
    "UPDATE payload SET body = x'00' WHERE row = (SELECT row FROM envelope WHERE stream = 1 AND first > 3 LIMIT 1)",
  );
  db.close();
  const { code, stdout, stderr } = await rein.run(["log", "a"]);
  const left = stdout.trimEnd().split("\n");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rein: damage: .*"a".* is damaged: .*\n$/);
  expect(left.length).toBeGreaterThan(3);
  expect(left.length).toBeLessThan(whole.length);
  expect(left[0]).toBe(whole[0]);
  expect(left.at(-1)).toBe(whole.at(-1));
  expect(await rein.run(["show", "a"])).toMatchObject({ code: 1, stderr });
  expect(await rein.run(["export", "b"])).toMatchObject({ code: 0, stderr: "" });
  expect(await rein.run(["log", "b"])).toMatchObject({ code: 0, stderr: "" });
});

test("what is intact behind an append that cannot be read is shown from any place on", async () => {
  const rein = await twoSessions();
  const whole = (await rein.run(["log", "a"])).stdout.trimEnd().split("\n");
  const db = new DatabaseSync(rein.store);
  const first = Number(db.prepare("SELECT first FROM envelope WHERE stream = 1 AND first > 3").get()?.first);
  const next = Number(db.prepare("SELECT first FROM envelope WHERE stream = 1 AND first > ?").get(first)?.first);
  db.exec(`UPDATE envelope SET heads = x'ff' WHERE stream = 1 AND first = ${first}`);
  db.close();
  const { code, stdout, stderr } = await rein.run(["log", "a"]);
  expect({ code, left: stdout.trimEnd().split("\n") }).toEqual({
    code: 1,
    left: [...whole.slice(0, first - 1), ...whole.slice(next - 1)],
  });
  expect(stderr).toMatch(/^rein: damage: .*"a".* is damaged: .*\n$/);
  const behind = await rein.run(["log", "a", "--from", String(next)]);
  expect(behind.stdout.trimEnd().split("\n")).toEqual(whole.slice(next - 1));
});

test("a store behind its head files is read with a word about it, and not written to", async () => {
  const rein = await twoSessions();
  cpSync(rein.store, join(rein.home, "older"));
  await rein.run(["run", "echo three", "--session", "c"]);
  cpSync(join(rein.home, "older"), rein.store);
  const { code, stdout, stderr } = await rein.run(["show", "a"]);
  expect(code).toBe(1);
  expect(stdout).toContain("echo one");
  expect(stderr).toMatch(/^rein: damage: Changes \d+ to \d+ are missing/);
  expect(await rein.run(["run", "echo x"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("[store_damaged]"),
  });
});

test("head files that are gone are told, by verify also later", async () => {
  const rein = await twoSessions();
  rmSync(`${rein.store}-heads`, { recursive: true });
  const said = /^notice: The head files of the store were missing when it was at change \d+: /;
  expect(await rein.run(["verify"])).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
  expect(await rein.run(["log", "a"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^rein: notice: The head files/),
  });
  expect((await rein.run(["run", "echo x"])).stderr).toContain("\n! notice: The head files of the store were missing");
  expect(await rein.run(["verify"])).toMatchObject({ code: 0, stdout: expect.stringMatching(said) });
});

test("a refused command leaves nothing behind", async () => {
  const rein = new ReinHome();
  const home = join(rein.home, "new");
  const bad = join(rein.home, "bad.jsonl");
  writeFileSync(bad, "no export\n");
  const commands = [
    ["run", "x", "--bogus"],
    ["run", "x", "--cwd", "/no/such/folder"],
    ["run", "x", "--allow", "Bash(npm *)"],
    ["run", "x", "--session", "s", "--deny", "Nope"],
    ["run", "x", "--model", "m"],
    ["log", "x"],
    ["import", bad],
    ["import", "-"],
  ];
  for (const args of commands) {
    const running = rein.start(args, { REIN_HOME: home });
    running.child.stdin.end("no export\n");
    expect((await running.ended).code, args.join(" ")).not.toBe(0);
    expect(existsSync(home), args.join(" ")).toBe(false);
  }
});
