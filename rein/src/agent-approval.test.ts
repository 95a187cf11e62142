import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createAgent, createScriptedModel } from "./index.ts";

test.each([
  ["a write", { name: "write", input: { path: "out/note.txt", content: "x" } }, "out"],
  ["a command", { name: "shell", input: { command: "touch note.txt" } }, ""],
])("%s that a person approved does not follow a link that was turned meanwhile", async (_name, call, turned) => {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "rein-approval-")));
  onTestFinished(() => rmSync(top, { recursive: true }));
  for (const name of ["workspace", "good", "bad"]) mkdirSync(join(top, name));
  const link = turned === "" ? join(top, "link") : join(top, "workspace", turned);
  symlinkSync(join(top, "good"), link);
  const folder = turned === "" ? link : join(top, "workspace");
  const model = createScriptedModel([{ calls: [call] }, { calls: [call] }, { text: "Done." }]);
  const agent = createAgent({ model, folder, ask: "wait" });
  onTestFinished(() => agent.close());

  const approve = async (waiting: readonly string[]) => {
    expect(waiting).toHaveLength(1);
    for (const asked of waiting) await agent.send("s", { kind: "approve", call: asked });
  };
  const asked = await agent.complete("Go.", { session: "s" });
  await approve(asked.waiting);
  unlinkSync(link);
  symlinkSync(join(top, "bad"), link);
  // The call is answered with what it would do now, and the model makes it again: it is asked about again.
  const again = await agent.resume("s").finish();
  const answer = model.requests[1]?.messages.at(-1)?.content[0];
  expect(answer).toMatchObject({ type: "tool_result", isError: true, errorType: "tool_denied" });
  expect(JSON.stringify(answer)).toContain(`which leads to ${join(top, "bad")}`);
  expect(readdirSync(join(top, "bad"))).toEqual([]);
  await approve(again.waiting);
  expect(await agent.resume("s").finish()).toMatchObject({ reason: "done" });
  expect(readdirSync(join(top, "bad"))).toEqual(["note.txt"]);
  expect(readdirSync(join(top, "good"))).toEqual([]);
});
