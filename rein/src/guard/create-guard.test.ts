import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../core/json.ts";
import { createPermitOffice } from "../core/permit.ts";
import type { CallToJudge } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import { resolvePath } from "../hands/index.ts";
import { callDigest } from "./call-digest.ts";
import { createGuard, type GuardOptions } from "./create-guard.ts";
import { POLICIES } from "./policies/index.ts";
import type { Policy } from "./policy.ts";

let top: string;
let folder: string;
let home: string;
let outside: string;

beforeAll(async () => {
  top = await realpath(await mkdtemp(join(tmpdir(), "guard-")));
  folder = join(top, "workspace");
  home = join(top, "home");
  outside = join(top, "outside");
  for (const path of [folder, home, outside, join(folder, "src"), join(folder, "report"), join(folder, "secrets")]) {
    await mkdir(path);
  }
  await writeFile(join(folder, "src/a.ts"), "a");
  await writeFile(join(folder, "secrets/key"), "k");
  await writeFile(join(outside, "file"), "o");
  await symlink(outside, join(folder, "out"));
  await symlink(join(outside, "file"), join(folder, "report/link.md"));
  await symlink(join(outside, "new"), join(folder, "report/dangling.md"));
  await symlink(join(folder, "secrets/key"), join(folder, "src/key"));
  await symlink("loop", join(folder, "loop"));
  await symlink(folder, join(top, "alias"));
});

afterAll(() => rm(top, { recursive: true, force: true }));

const office = createPermitOffice();
const guardWith = (more: Partial<GuardOptions> = {}) => createGuard({ office, resolvePath, home, ...more });
const guard = { judge: (call: CallToJudge) => guardWith().judge(call), admit: guardAdmit };

function guardAdmit(call: CallToJudge, approved: string | null) {
  return guardWith().admit(call, approved);
}

const call = (effects: readonly CallEffect[], more: Partial<CallToJudge> = {}): CallToJudge => ({
  session: "s",
  call: "1:0",
  tool: "some_tool",
  input: { n: 1 },
  effects,
  readOnly: false,
  folder,
  rules: { allow: [], deny: [] },
  ask: "wait",
  ...more,
});
const allow = (...rules: string[]): Partial<CallToJudge> => ({ rules: { allow: rules, deny: [] } });
const deny = (...rules: string[]): Partial<CallToJudge> => ({ rules: { allow: [], deny: rules } });
const read = (path: string): CallEffect => ({ kind: "read", path: join(folder, path) });
const tree = (path: string): CallEffect => ({ kind: "read-tree", path: join(folder, path) });
const write = (path: string): CallEffect => ({ kind: "write", path: join(folder, path) });
const run = (command: string, cwd = folder): CallEffect => ({ kind: "execute", command, cwd });

const decision = async (judged: CallToJudge) => {
  const verdict = await guard.judge(judged);
  return `${verdict.decision} ${verdict.policy}`;
};

describe("what runs without a rule", () => {
  it("a public tool's call without effects, or with effects on the session alone, judged at once", () => {
    expect(guard.judge(call([], { isPublic: true }))).toEqual({
      decision: "allow",
      policy: "no-effect",
      reason: "The tool is public, and the call touches nothing outside this process.",
      digest: callDigest("some_tool", { n: 1 }, folder, []),
      effects: [],
      reals: [],
    });
    expect(guard.judge(call([{ kind: "state", what: "todo list" }], { isPublic: true }))).toMatchObject({
      decision: "allow",
    });
  });

  it("a read-only call without effects", () => {
    expect(guard.judge(call([], { readOnly: true }))).toMatchObject({
      decision: "allow",
      reason: "The call changes nothing.",
    });
  });

  it.each([
    ["a file", [{ kind: "read", path: "src/a.ts" }]],
    ["a file that does not exist", [{ kind: "read", path: "src/none.ts" }]],
    ["a file by a way round", [{ kind: "read", path: "src/../src/./a.ts" }]],
    ["a link that stays inside", [{ kind: "read", path: "src/key" }]],
    ["a tree", [{ kind: "read-tree", path: "." }]],
    [
      "several, with the session's state",
      [
        { kind: "read", path: "a" },
        { kind: "read", path: "b" },
        { kind: "state", what: "x" },
      ],
      { isPublic: true },
    ],
  ] as const)("reads inside the workspace: %s", async (_name, effects, more: Partial<CallToJudge> = {}) => {
    const absolute = effects.map((effect) =>
      "path" in effect ? { ...effect, path: join(folder, effect.path) } : effect,
    );
    expect(await decision(call(absolute, more))).toBe("allow workspace-read");
  });

  it("reads of a workspace that is named by a link", async () => {
    const alias = join(top, "alias");
    expect(await decision(call([{ kind: "read", path: join(alias, "src/a.ts") }], { folder: alias }))).toBe(
      "allow workspace-read",
    );
    expect(await decision(call([read("src/a.ts")], { folder: alias }))).toBe("allow workspace-read");
  });
});

describe("what asks", () => {
  it.each([
    ["a read outside", () => ({ kind: "read", path: "/etc/hostname" }) as const],
    ["a read of a neighbour whose name begins alike", () => ({ kind: "read", path: `${folder}-evil/x` }) as const],
    ["a read that climbs out", () => read("../outside/file")],
    ["a read through a link to a folder outside", () => read("out/file")],
    ["a read of a link to a file outside", () => read("report/link.md")],
    ["a tree outside by a link", () => tree("out")],
    ["the tree above", () => tree("..")],
    ["a write inside", () => write("src/a.ts")],
    ["a command", () => run("ls")],
    ["a connection", () => ({ kind: "connect", host: "example.com", port: 443 }) as const],
    ["a read beside a write", () => write("x")],
  ])("%s", async (_name, effect) => {
    expect(await decision(call([read("src/a.ts"), effect()]))).toBe("ask no-grant");
    expect(await decision(call([effect()], { ask: "deny" }))).toBe("deny no-grant");
  });

  it("a call that says it touches nothing, of a tool that is neither public nor read-only", async () => {
    expect(guard.judge(call([]))).toMatchObject({
      decision: "ask",
      policy: "no-grant",
      reason: "No rule allows `some_tool`, which is declared neither read-only nor public.",
    });
    expect(await decision(call([{ kind: "state", what: "notes" }]))).toBe("ask no-grant");
    expect(await decision(call([read("src/a.ts"), { kind: "state", what: "notes" }]))).toBe("ask no-grant");
    expect(await decision(call([], { ask: "deny" }))).toBe("deny no-grant");
    expect(await decision(call([], allow("some_tool")))).toBe("allow allow-rules");
    expect(await decision(call([{ kind: "state", what: "notes" }], allow("some_tool")))).toBe("allow allow-rules");
  });

  it("says what it is about, and where links lead", async () => {
    expect(await guard.judge(call([write("report/link.md")]))).toMatchObject({
      reason: `No rule allows to write ${folder}/report/link.md (which leads to ${outside}/file).`,
    });
    expect(await guard.judge(call([run("rm -rf build")], { ask: "deny" }))).toMatchObject({
      reason: `No rule allows to run \`rm -rf build\` in ${folder}. Nobody can be asked in this session.`,
    });
  });

  it("a tool that asks for itself, whatever rules allow", async () => {
    expect(await decision(call([run("ls")], { ...allow("Bash"), ownAsk: "It is large." }))).toBe("ask own-ask");
    expect(await decision(call([], { ownAsk: "It is large.", ask: "deny" }))).toBe("deny own-ask");
  });
});

describe("allow rules", () => {
  it("a command by its whole text, in the session's folder", async () => {
    expect(await decision(call([run("npm test")], allow("Bash(npm test)")))).toBe("allow allow-rules");
    for (const other of [
      "npm test ",
      " npm test",
      "npm test && rm -rf /",
      "npm  test",
      "NPM test",
      "PATH=/tmp/evil:$PATH npm test",
      "npm test\n",
    ]) {
      expect(await decision(call([run(other)], allow("Bash(npm test)")))).toBe("ask no-grant");
    }
    expect(await decision(call([run("npm test", outside)], allow("Bash(npm test)")))).toBe("ask no-grant");
    expect(await decision(call([run("npm test", `${folder}/src/..`)], allow("Bash(npm test)")))).toBe(
      "allow allow-rules",
    );
    expect(
      await decision(call([{ kind: "execute-argv", argv: ["npm", "test"], cwd: folder }], allow("Bash(npm test)"))),
    ).toBe("ask no-grant");
    expect(await decision(call([run("anything", outside)], allow("Bash")))).toBe("allow allow-rules");
  });

  it("writes by their real path", async () => {
    const rule = allow("Write(report/**)");
    expect(await decision(call([write("report/a.md")], rule))).toBe("allow allow-rules");
    expect(await decision(call([write("report/new/deep/a.md")], rule))).toBe("allow allow-rules");
    expect(await decision(call([write("src/../report/a.md")], rule))).toBe("allow allow-rules");
    const elsewhere = [
      "report/../src/a.ts",
      "report/../../outside/file",
      "report/link.md",
      "report/dangling.md",
      "reports/a",
    ];
    for (const path of [...elsewhere, "report"]) {
      expect(await decision(call([write(path)], rule)), path).toBe("ask no-grant");
    }
    expect(await decision(call([write("report/a.md")], allow("Edit(report/**)")))).toBe("allow allow-rules");
    expect(await decision(call([write("report/a.md")], allow("Read(report/**)")))).toBe("ask no-grant");
  });

  it("bare Write means the workspace and no dot files", async () => {
    expect(await decision(call([write("any/where.txt")], allow("Write")))).toBe("allow allow-rules");
    expect(await decision(call([write(".git/hooks/pre-commit")], allow("Write")))).toBe("ask no-grant");
    expect(await decision(call([write("../outside/x")], allow("Write")))).toBe("ask no-grant");
    expect(await decision(call([write("out/x")], allow("Write")))).toBe("ask no-grant");
  });

  it("absolute paths and those below home", async () => {
    expect(await decision(call([{ kind: "read", path: join(outside, "file") }], allow(`Read(/${outside}/**)`)))).toBe(
      "allow allow-rules",
    );
    expect(await decision(call([{ kind: "write", path: join(home, "notes/a") }], allow("Write(~/notes/**)")))).toBe(
      "allow allow-rules",
    );
    expect(await decision(call([{ kind: "write", path: join(home, "other/a") }], allow("Write(~/notes/**)")))).toBe(
      "ask no-grant",
    );
  });

  it("every effect must be covered, each by some rule", async () => {
    const effects = [write("report/a.md"), run("npm test"), read("src/a.ts")];
    expect(await decision(call(effects, allow("Write(report/**)")))).toBe("ask no-grant");
    expect(await decision(call(effects, allow("Bash(npm test)")))).toBe("ask no-grant");
    expect(await guard.judge(call(effects, allow("Write(report/**)", "Bash(npm test)")))).toMatchObject({
      decision: "allow",
      reason: "Allowed by Write(report/**), Bash(npm test).",
    });
  });

  it("a tool by its name, whatever it does", async () => {
    const effects = [{ kind: "connect", host: "h", port: 1 }, write("x")] as const;
    expect(await decision(call(effects, { ...allow("note_save(*)"), tool: "note_save" }))).toBe("allow allow-rules");
    expect(await decision(call(effects, { ...allow("note_save"), tool: "note_find" }))).toBe("ask no-grant");
  });

  it("a rule that can't be read allows nothing", async () => {
    expect(await decision(call([run("npm test")], allow("Bash(npm *)", "Bash(")))).toBe("ask no-grant");
  });
});

describe("deny rules", () => {
  it("win over every allow", async () => {
    const rules = {
      allow: ["Bash", "Write", "Read", "some_tool"],
      deny: ["Bash(git push)", "Read(secrets)", "Write(.github/**)"],
    };
    expect(await decision(call([run("git push")], { rules }))).toBe("deny deny-rules");
    expect(await decision(call([run(" git push\n")], { rules }))).toBe("deny deny-rules");
    expect(await decision(call([{ kind: "execute-argv", argv: ["git", "push"], cwd: "/" }], { rules }))).toBe(
      "deny deny-rules",
    );
    expect(await decision(call([run("git pull")], { rules }))).toBe("allow allow-rules");
    expect(await decision(call([write(".github/workflows/x.yml")], { rules }))).toBe("deny deny-rules");
    expect(await decision(call([write("src/x")], { rules }))).toBe("allow allow-rules");
  });

  it.each(["secrets/key", "secrets/../secrets/key", "src/key", "secrets", "Secrets/key", "secrets/new"])(
    "hold for %s, however it is named",
    async (path) => {
      expect(await decision(call([read(path)], deny("Read(./secrets/**)")))).toBe("deny deny-rules");
    },
  );

  it("hold for what a link in the rule leads to, and for the link itself", async () => {
    expect(await decision(call([{ kind: "read", path: join(outside, "file") }], deny("Read(out/**)")))).toBe(
      "deny deny-rules",
    );
    expect(await decision(call([read("src/key")], deny("Read(src/key)")))).toBe("deny deny-rules");
    expect(await decision(call([read("secrets/key")], deny("Read(src/key)")))).toBe("deny deny-rules");
    const alias = join(top, "alias");
    expect(await decision(call([read("secrets/key")], { ...deny("Read(secrets)"), folder: alias }))).toBe(
      "deny deny-rules",
    );
  });

  it("hold for a tree that could hold a match", async () => {
    expect(await decision(call([tree(".")], deny("Read(secrets/**)")))).toBe("deny deny-rules");
    expect(await decision(call([tree("src")], deny("Read(./secrets/**)")))).toBe("allow workspace-read");
  });

  it("a bare name denies all of it, everywhere", async () => {
    expect(await decision(call([run("ls")], deny("Bash")))).toBe("deny deny-rules");
    expect(await decision(call([{ kind: "write", path: "/anywhere" }], deny("Write(//**)")))).toBe("deny deny-rules");
    expect(await decision(call([write("x")], deny("Write")))).toBe("deny deny-rules");
    expect(await decision(call([{ kind: "write", path: "/anywhere" }], deny("Write")))).toBe("deny deny-rules");
    expect(await decision(call([], deny("some_tool")))).toBe("deny deny-rules");
  });

  it("one that can't be read stops everything and says so", () => {
    const verdict = guard.judge(call([], deny("Bash(git *)")));
    expect(verdict).toMatchObject({ decision: "deny", policy: "deny-rules" });
    expect(verdict).toHaveProperty("reason", expect.stringContaining('The rule "Bash(git *)" holds a wildcard'));
  });
});

describe("hostile arguments", () => {
  it.each([
    ["a loop of links", "loop/x", "goes through too many links, or a loop of them"],
    ["a NUL byte", "a\0b", "holds a NUL byte"],
    ["a lone surrogate", "a\ud800b", "is not valid Unicode"],
    ["a file as a folder", "src/a.ts/b", "goes through something that is not a folder"],
    ["an endless name", "x".repeat(5_000), "is too long for the file system"],
  ])("%s is denied with its reason", async (_name, path, reason) => {
    const verdict = await guard.judge(call([{ kind: "read", path: `${folder}/${path}` }], allow("Read", "some_tool")));
    expect(verdict).toMatchObject({ decision: "deny", policy: "unusable-path" });
    expect(verdict.reason).toContain(reason);
  });

  it("relative and empty paths are denied", async () => {
    expect(await decision(call([{ kind: "read", path: "src/a.ts" }]))).toBe("deny unusable-path");
    expect(await decision(call([{ kind: "read", path: "" }]))).toBe("deny unusable-path");
  });

  it("a workspace that can't be found allows no read", async () => {
    expect(await decision(call([read("src/a.ts")], { folder: join(folder, "loop") }))).toBe("deny unusable-path");
  });

  it("arguments that can't be written down are denied, not thrown", async () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 100_000; level++) deep = { a: deep };
    expect(await guard.judge(call([], { input: deep }))).toMatchObject({ decision: "deny", policy: "unjudgeable" });
    expect(await guard.admit(call([], { input: deep }), null)).toMatchObject({
      ok: false,
      error: { code: "tool_denied" },
    });
  });

  it("names of the prototype are names like any other", async () => {
    for (const tool of ["constructor", "__proto__", "toString"]) {
      expect(await decision(call([run("x")], { tool, ...allow("hasOwnProperty") }))).toBe("ask no-grant");
    }
  });
});

describe("admit", () => {
  it("mints one permit for each effect, bound to call, effect and real path", async () => {
    const effects = [read("src/key"), { kind: "state", what: "x" }] as const;
    const permits = await guard.admit(call(effects, { isPublic: true }), null);
    if (!permits.ok) throw new Error(permits.error.message);
    expect(permits.value.map(({ call: of, real }) => [of, real])).toEqual([
      ["1:0", join(folder, "secrets/key")],
      ["1:0", undefined],
    ]);
    const [first, second] = permits.value;
    expect(first && office.check(first, effects[0])).toEqual({ ok: true, value: undefined });
    expect(second && office.check(second, effects[0])).toMatchObject({ error: { code: "permit_mismatch" } });
    expect(first && createPermitOffice().check(first, effects[0])).toMatchObject({ error: { code: "permit_missing" } });
  });

  it("judges again: what was allowed and is no longer is refused", async () => {
    const path = join(folder, "report/moved.md");
    const rules = { allow: ["Write(report/**)"], deny: [] };
    const asked = call([{ kind: "write", path }], { rules });
    expect(await guard.judge(asked)).toMatchObject({ decision: "allow" });
    await symlink(join(outside, "file"), path);
    expect(await guard.admit(asked, null)).toMatchObject({ ok: false, error: { code: "tool_denied" } });
    await rm(path);
    expect(await guard.admit(asked, null)).toMatchObject({ ok: true });
  });

  it("an approval lifts an ask, for exactly that call", async () => {
    const asked = call([run("rm -rf build")], { input: { command: "rm -rf build" }, ownAsk: "It deletes." });
    const { digest } = await guard.judge(asked);
    expect(await guard.admit(asked, null)).toMatchObject({
      ok: false,
      error: {
        code: "tool_denied",
        message: "It deletes.",
        hint: "Wait until a person has approved exactly this call.",
      },
    });
    expect(await guard.admit(asked, digest)).toMatchObject({ ok: true });
    const other = { ...asked, input: { command: "rm -rf /" } };
    expect(await guard.admit(other, digest)).toMatchObject({
      ok: false,
      error: { code: "tool_denied", message: expect.stringContaining("The call is not the one that was approved") },
    });
    expect(await guard.admit({ ...asked, folder: outside }, digest)).toMatchObject({ ok: false });
    expect(await guard.admit({ ...asked, tool: "other" }, digest)).toMatchObject({ ok: false });
  });

  it.each([
    ["a file", (path: string): CallEffect => ({ kind: "write", path })],
    ["the folder of a command", (path: string): CallEffect => run("make clean", path)],
  ])("an approval is for the place that was judged: %s", async (_name, effect) => {
    const path = join(folder, "report/place");
    await symlink(join(folder, "src"), path);
    const asked = call([effect(path)]);
    const { digest } = await guard.judge(asked);
    expect(await guard.admit(asked, digest)).toMatchObject({ ok: true });
    await rm(path);
    await symlink(outside, path);
    const swapped = await guard.admit(asked, digest);
    await rm(path);
    expect(swapped).toMatchObject({ ok: false, error: { code: "tool_denied" } });
    expect(swapped).toHaveProperty("error.message", expect.stringContaining(`(which leads to ${outside})`));
    expect(swapped).toHaveProperty("error.hint", "Make the call again and have it approved.");
  });

  it("a command is bound to the real folder it was judged in", async () => {
    const effect = run("npm test", join(top, "alias"));
    const permits = await guard.admit(call([effect], { folder: join(top, "alias"), ...allow("Bash(npm test)") }), null);
    expect(permits).toMatchObject({ ok: true, value: [{ real: folder }] });
  });

  it("an approval of another call is refused even where a rule allows this one", async () => {
    expect(await guard.admit(call([], {}), "0".repeat(64))).toMatchObject({
      ok: false,
      error: { code: "tool_denied" },
    });
  });

  it("an approval lifts neither a deny rule nor the floor", async () => {
    const asked = call([run("git push")], deny("Bash(git push)"));
    const { digest } = await guard.judge(asked);
    expect(await guard.admit(asked, digest)).toMatchObject({ ok: false, error: { code: "tool_denied" } });
    const floored = guardWith({ floor: () => ({ reason: "The floor." }) });
    const free = call([run("git push")], allow("Bash"));
    expect(await floored.judge(free)).toMatchObject({ decision: "deny", policy: "floor", reason: "The floor." });
    expect(await floored.admit(free, digest)).toMatchObject({ ok: false, error: { message: "The floor." } });
  });
});

describe("policies of others", () => {
  const policy = (judge: Policy["judge"], grants = false): Policy => ({ name: "mine", grants, judge });

  it("a change is handed back to be judged again, and never runs by itself", async () => {
    const changing = guardWith({
      policies: [...POLICIES, policy(() => ({ answer: "modify", reason: "Dry first.", input: { n: 2 } }))],
    });
    const asked = call([], { isPublic: true });
    expect(await changing.judge(asked)).toMatchObject({ decision: "deny", policy: "mine", input: { n: 2 } });
    expect(await changing.admit(asked, null)).toMatchObject({ ok: false, error: { code: "tool_denied" } });
    // The same arguments again are no change.
    const same = call([], { input: { n: 2 }, changes: 1, isPublic: true });
    expect(await changing.judge(same)).toMatchObject({ decision: "allow" });
    expect(await changing.judge(call([], { changes: 3 }))).not.toHaveProperty("input");
    expect(await changing.judge(call([], { changes: 3 }))).toMatchObject({ decision: "deny", policy: "mine" });
  });

  it("one that fails denies", async () => {
    const failing = guardWith({
      policies: [
        ...POLICIES,
        policy(() => {
          throw new Error("broken");
        }),
      ],
    });
    expect(await failing.judge(call([]))).toMatchObject({ decision: "deny", reason: "The policy mine failed: broken" });
    const floor = () => {
      throw new Error("broken");
    };
    expect(await guardWith({ floor }).judge(call([]))).toMatchObject({
      decision: "deny",
      reason: "The floor failed: broken",
    });
  });

  it("an allow of one that does not grant counts for nothing", async () => {
    const allowing = (grants: boolean) =>
      guardWith({ policies: [policy(() => ({ answer: "allow", reason: "Fine." }), grants)] }).judge(call([run("x")]));
    expect(await allowing(false)).toMatchObject({ decision: "ask" });
    expect(await allowing(true)).toMatchObject({ decision: "allow", policy: "mine" });
  });
});
