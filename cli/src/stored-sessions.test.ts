import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ReinHome } from "./testing/rein-process.ts";

test("a session goes out as a file and comes in again, whole", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  const file = join(rein.home, "a.jsonl");
  expect((await rein.run(["export", "a", "-o", file])).code).toBe(0);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect((await rein.run(["export", "a"])).stdout).toBe(readFileSync(file, "utf8"));
  expect(await rein.run(["export", "a", "-o", file])).toEqual({
    code: 1,
    stdout: "",
    stderr: `rein: ${file} exists already. Give -o another file. [path_unusable]\n`,
  });
  expect(await rein.run(["verify", "--file", file])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: \d+ events of session a, 0 erased\n$/),
  });
  expect((await rein.run(["import", file])).stderr).toMatch(
    /already\. Import it under another id: --as ID\. \[session_exists\]\n$/,
  );
  expect(await rein.run(["import", file, "--as", "b"])).toMatchObject({ code: 0, stdout: "b\n" });
  const [own, copy] = [await rein.events("a"), await rein.events("b")];
  expect(copy.slice(0, -1).map(({ seq, type, data }) => ({ seq, type, data }))).toEqual(
    own.map(({ seq, type, data }) => ({ seq, type, data })),
  );
  expect((await rein.run(["run", "echo two", "--session", "b"])).code).toBe(0);
});

test("a damaged file is refused, a cut one gives what it has, and both are told with their place", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  const whole = (await rein.run(["export", "a"])).stdout;
  const damaged = join(rein.home, "damaged.jsonl");
  writeFileSync(damaged, whole.replace("echo one", "echo 0ne"));
  const refused = await rein.run(["import", damaged, "--as", "c"]);
  expect(refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Line 4 .*--salvage\. \[import_invalid\]\n$/),
  });
  const salvaged = await rein.run(["import", damaged, "--as", "c", "--salvage"]);
  expect(salvaged).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Imported \d+ events, 1 lost/m) });
  const cut = await rein.run(["import", "-", "--as", "d"], whole.slice(0, -2_000));
  expect(cut).toMatchObject({ code: 1, stdout: "d\n", stderr: expect.stringMatching(/^loss: /) });
});

test("a fork goes its own way", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo one", "--session", "a"]);
  const forked = await rein.run(["fork", "a", "--at", "9", "--as", "f"]);
  expect(forked).toMatchObject({ code: 0, stdout: "f\n" });
  expect(forked.stderr.split("\n")).toEqual([
    expect.stringMatching(/^Forked: 9 events kept, \d added that close what was open there\.$/),
    `It works in the same folder, ${process.cwd()}; files there are as they are now, not as they were at that event.`,
    "It has no rules, like its parent.",
    expect.stringMatching(/^To (go on: rein resume f|give it a task: rein run --session f "…")$/),
    "",
  ]);
  expect((await rein.run(["fork", "nobody"])).stderr).toContain("`rein sessions`");
  const events = await rein.events("f");
  expect(events[9]).toMatchObject({ seq: 10, type: "session.forked", data: { parent: "a", seq: 9 } });
  expect((await rein.run(["run", "echo two", "--session", "f"])).code).toBe(0);
  expect((await rein.events("a")).filter(({ type }) => type === "run.started")).toHaveLength(1);
});

test("an erased event leaves a tombstone, and all still verifies", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo the password is swordfish", "--session", "a"]);
  expect((await rein.run(["erase", "a", "3"])).stderr).toMatch(
    /^rein: This would erase event 3 \(input\.received\).* Give --yes to do it\. \[invalid_option\]\n$/,
  );
  const answer = (await rein.events("a")).find(({ type }) => type === "model.responded");
  for (const seq of ["3", String(answer?.seq)]) {
    const { code, stderr } = await rein.run(["erase", "a", seq, "--yes"]);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /\nNot reached: exports and imports of it, backups and file system snapshots of the store, /,
    );
  }
  expect(await rein.run(["erase", "a", "3"])).toEqual({
    code: 0,
    stdout: "",
    stderr: "Event 3 of session a is erased already.\n",
  });
  const { stdout } = await rein.run(["log", "a"]);
  expect(stdout).toMatch(/^ +3 .* input\.received +\(erased\)$/m);
  expect(readFileSync(rein.store).includes("swordfish")).toBe(false);
  expect(await rein.run(["verify"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok: \d+ events in 1 session, 2 erased\n$/),
  });
});

test("damage is found, placed, and ends with 1", async () => {
  const rein = new ReinHome();
  await rein.run(["run", "echo a word to look for", "--session", "a"]);
  const bytes = readFileSync(rein.store);
  const at = bytes.indexOf("a word to look for");
  expect(at).toBeGreaterThan(0);
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  writeFileSync(rein.store, bytes);
  const { code, stdout } = await rein.run(["verify"]);
  expect(stdout).toMatch(/^damage: .*session a, events? /m);
  expect(stdout).toMatch(/^not ok: /m);
  expect(code).toBe(1);
  const shown = await rein.run(["show", "a"]);
  expect(shown).toMatchObject({ code: 1, stderr: expect.stringMatching(/^rein: [^\n]*\[store_damaged\]\n$/) });
  expect((await rein.run(["sessions"])).stdout).toMatch(/^a +store_damaged /m);
});

test("the transcript and the list tell what was said", async () => {
  const rein = new ReinHome();
  expect(await rein.run(["sessions"])).toEqual({
    code: 0,
    stdout: "",
    stderr: `There are no sessions yet: no store at ${rein.store}.\n`,
  });
  await rein.run(["run", "read `package.json`", "--session", "a"]);
  const { stdout } = await rein.run(["show", "a"]);
  expect(stdout).toContain("## Person (start)\n\nread `package.json`\n");
  expect(stdout).toMatch(/^> read \{"path":"package.json"\} {2}\[\d+\.1\]$/m);
  expect(stdout).toMatch(/^ +2\t {2}"name": "rein-workspace",$/m);
  expect(stdout).toContain("--- run 1 ended: done\n");
  expect((await rein.run(["sessions"])).stdout).toMatch(
    /^a +completed +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\d+ +read `package.json`$/m,
  );
  const tools = (await rein.events("a")).find(({ type }) => type === "tools.changed");
  const blob = await rein.run(["show", "a", "--blob", String(tools?.data.blob)]);
  expect(JSON.parse(blob.stdout)).toEqual(expect.arrayContaining([expect.objectContaining({ name: "shell" })]));
  const some = await rein.run(["log", "a", "--from", "3"]);
  expect(some.stdout).toMatch(/^ +3 /);
});
