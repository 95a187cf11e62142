import { describe, expect, onTestFinished, test } from "vitest";
import { type Agent, type AgentOptions, createAgent, createScriptedModel, tool, unwrap } from "./index.ts";

const saving = tool({
  name: "save_note",
  description: "Keeps a note.",
  access: "trusted",
  input: { type: "object" },
  effects: () => [],
  run: () => "Kept.",
});

const agentOf = (more: Partial<AgentOptions> = {}): Agent => {
  const model = createScriptedModel([{ calls: [{ name: "save_note" }] }, { text: "Done." }]);
  const agent = createAgent({ model, tools: [saving], builtin: ["read"], ask: "wait", ...more });
  onTestFinished(() => agent.close());
  return agent;
};

const unknown = {
  error: {
    code: "invalid_option",
    message: 'The rule "save-note" names a tool that does not exist, so it would never hold. Did you mean save_note?',
  },
};
const twice = [{ allow: ["save-note"] }, { deny: ["save-note"] }];

describe("a rule that names no tool", () => {
  test.each(twice)("is refused when the agent is first used: %j", async (rules) => {
    await expect(agentOf(rules).complete("Note it.")).rejects.toMatchObject(unknown);
  });

  test("may name a built-in tool that is not offered", async () => {
    expect(await agentOf({ deny: ["search"], allow: ["Bash", "save_note"] }).complete("Note it.")).toMatchObject({
      reason: "done",
    });
  });

  test.each(twice)("is refused in a change of settings, sent or given to a run: %j", async (rules) => {
    const agent = agentOf();
    const change = { rules: { allow: [], deny: [], ...rules } };
    expect(await agent.complete("Note it.", { session: "s" })).toMatchObject({ reason: "waiting" });
    await expect(agent.send("s", { kind: "settings", change })).rejects.toMatchObject(unknown);
    await expect(agent.resume("s", { change }).finish()).rejects.toMatchObject(unknown);
    expect(unwrap(await (await agent.store()).inbox("s"))).toEqual([]);
    expect((await agent.state("s")).kernel.settings?.rules).toEqual({ allow: [], deny: [] });
  });

  test("is refused on record when it comes by the inbox, and nothing else changes", async () => {
    const agent = agentOf();
    await agent.complete("Note it.", { session: "s" });
    const store = await agent.store();
    const change = { ask: "deny", rules: { allow: ["Bash(npm *)"], deny: [] } };
    const payload = JSON.stringify({ kind: "settings", change });
    unwrap(await store.commit({ inbox: { put: [{ commandId: "c1", session: "s", payload }] } }));
    expect(await agent.resume("s").finish()).toMatchObject({ reason: "waiting" });
    const refused = unwrap(await store.read("s", {})).find(({ type }) => type === "command.refused");
    expect(JSON.parse(String(refused?.data))).toMatchObject({
      commandId: "c1",
      kind: "settings",
      reason: expect.stringContaining('The rule "Bash(npm *)" holds a wildcard'),
    });
    expect((await agent.state("s")).kernel.settings).toMatchObject({ ask: "wait", rules: { allow: [], deny: [] } });
  });
});

test("a change of a shape that settings do not have is refused when it is sent", async () => {
  const agent = agentOf();
  await agent.complete("Note it.", { session: "s" });
  const change = JSON.parse('{"rules":{"allow":"save_note","deny":[]}}');
  await expect(agent.send("s", { kind: "settings", change })).rejects.toMatchObject({
    error: { code: "invalid_option", message: "Its rules are no lists `allow` and `deny`." },
  });
});

test("a change with good rules is taken, and the call runs", async () => {
  const agent = agentOf();
  await agent.complete("Note it.", { session: "s" });
  await agent.send("s", { kind: "settings", change: { rules: { allow: ["save_note"], deny: [] } } });
  const [call = ""] = (await agent.state("s")).kernel.open?.calls.map((open) => open.call) ?? [];
  await agent.send("s", { kind: "approve", call });
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "done", text: "Done." });
});

test("on Windows the gate and the hands that are brought along are refused, before anything is opened", async () => {
  const platform = Object.getOwnPropertyDescriptor(process, "platform");
  onTestFinished(() => void Object.defineProperty(process, "platform", { ...platform }));
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  await expect(agentOf().complete("Note it.")).rejects.toMatchObject({
    error: { code: "invalid_option", hint: "Run it in WSL, or give `guard` and `hands` of your own." },
  });
});
