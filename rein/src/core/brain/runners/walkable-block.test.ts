import { expect, test } from "vitest";
import { createAgent, createScriptedModel, tool, unwrap } from "../../../index.ts";
import type { JsonObject } from "../../json.ts";

const peek = tool({
  name: "peek",
  description: "Peeks.",
  access: "public",
  input: { type: "object" },
  effects: () => [],
  run: () => "seen",
});

const nested = (levels: number): JsonObject => {
  let value: JsonObject = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
};

test.each([{}, { DEPLOY_TOKEN: "hunter2hunter2" }])(
  "a call nested 20,000 deep is answered, its text stays in the log, and the calls beside it run: %j",
  async (env) => {
    const calls = [20_000, 64, 65].map((levels) => ({ name: "peek", input: nested(levels) }));
    const model = createScriptedModel([{ calls }, { text: "I see." }]);
    const agent = createAgent({ model, tools: [peek], builtin: [], env });
    expect(await agent.complete("Look.", { session: "s" })).toMatchObject({ reason: "done", text: "I see." });

    const content = model.requests[1]?.messages.at(-1)?.content;
    expect(content?.map((block) => (block.type === "tool_result" ? block.isError : null))).toEqual([true, false, true]);
    expect(JSON.stringify(content?.[0])).toContain("nested deeper than 64 levels");
    const store = await agent.store();
    const responded = unwrap(await store.read("s", {})).find(({ type }) => type === "model.responded");
    expect(JSON.parse(String(responded?.data)).content[0]).toMatchObject({
      input: {},
      malformed: `${'{"a":'.repeat(19_999)}{}${"}".repeat(19_999)}`,
    });
    await agent.close();
  },
);
