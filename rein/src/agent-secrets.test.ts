import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAgent, createScriptedModel, tool, toolFailure, unwrap } from "./index.ts";

const SECRET = "hunter2/hunter2+hunter2";

const input = { type: "object" } as const;
const talking = tool({
  name: "talk",
  description: "Says too much.",
  access: "public",
  input,
  effects: () => [],
  async run({ how }, { progress }) {
    progress({ kind: "output", stream: "stdout", text: SECRET.slice(0, 9) });
    progress({ kind: "output", stream: "stdout", text: SECRET.slice(9) });
    progress({ kind: "step", step: 1, status: `at ${SECRET}` });
    if (how === "throw") throw new Error(`no ${SECRET}`);
    if (how === "fail") return toolFailure({ type: "x", message: SECRET, hint: SECRET }, SECRET);
    if (how === "json") return { [SECRET]: [SECRET], long: `${"x".repeat(32_760)}${SECRET}${"y".repeat(40_000)}` };
    return `it is ${SECRET}`;
  },
});
const failing = tool({
  name: "fail",
  description: "Cannot say what it does.",
  access: "public",
  input,
  effects: () => {
    throw new Error(SECRET);
  },
  ask: () => SECRET,
  run: () => SECRET,
});

test("a secret stands in no event, part, blob, file or request, whichever way it comes", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rein-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "a.txt"), `key=${SECRET}\n`);
  const model = createScriptedModel([
    {
      text: `I know ${SECRET}.`,
      chunk: 5,
      calls: [
        ...["throw", "fail", "json", "plain"].map((how) => ({ name: "talk", input: { how } })),
        { name: "fail" },
        { name: `talk ${SECRET}` },
        { name: "talk", input: { [SECRET]: SECRET } },
        { name: "talk", malformed: `{"a": "${SECRET}` },
        { name: "read", input: { path: "a.txt" } },
        { name: "read", input: { path: `${SECRET}/none` } },
        { name: "search", input: { pattern: "key" } },
        { name: "shell", input: { command: "cat a.txt; cat a.txt >&2" } },
        { name: "shell", input: { command: `echo ${SECRET}` } },
      ],
    },
    { error: "model_rejected", message: `bad key ${SECRET}` },
  ]);
  const agent = createAgent({
    model,
    folder,
    store: { path: join(folder, "store/sessions.db") },
    tools: [talking, failing],
    allow: ["Bash"],
    env: { ...process.env, DEPLOY_TOKEN: SECRET },
  });
  const parts: unknown[] = [];
  for await (const part of agent.run(`Use ${SECRET}.`, { session: "s" })) parts.push(part);
  await agent.send("s", { kind: "kill", reason: `because of ${SECRET}` });
  await agent.resume("s").finish();
  const store = await agent.store();
  const events = unwrap(await store.read("s", {}));
  const results = events.filter(({ type }) => type === "tool.finished");
  expect(results).toHaveLength(13);
  const kept = JSON.stringify([parts, events, model.requests]);
  await agent.close();
  const files = readdirSync(join(folder, "store"), { recursive: true, withFileTypes: true }).filter((f) => f.isFile());
  const bytes = files.map((file) => readFileSync(join(file.parentPath, file.name), "latin1")).join("");
  for (const text of [kept, bytes]) expect(text.includes(SECRET)).toBe(false);
  expect(kept).toContain("[secret:DEPLOY_TOKEN]");
});
