import { readFileSync } from "node:fs";
import { createAgent, createScriptedModel, ReinFailure, unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { expect, test } from "vitest";
import { Scene } from "./scene.ts";

test("a store that was opened for reading is read, and refuses a run before anything happens", async () => {
  const made = new Scene();
  await made.run([{ text: "Hello." }]);
  const bytes = readFileSync(made.path);
  const store = unwrap(await openSqliteStore({ path: made.path, readOnly: true }));
  const model = createScriptedModel([{ text: "Never said." }]);
  const agent = createAgent({ model, store, folder: made.work });
  expect((await agent.state("s")).kernel.run.ended).toEqual({ reason: "done" });

  const refusals = [
    () => agent.complete("Go on.", { session: "s" }),
    () => agent.complete("Begin."),
    () => agent.resume("s").finish(),
    () => agent.send("s", { kind: "stop" }),
    () => agent.fork("s"),
    () => agent.kill("s", "no reason"),
  ];
  for (const refusal of refusals) {
    const thrown: unknown = await refusal().catch((error: unknown) => error);
    if (!(thrown instanceof ReinFailure)) throw new Error(`It was not refused: ${JSON.stringify(thrown)}`);
    expect(thrown.error).toMatchObject({ class: "resource", code: "store_readonly" });
    expect(thrown.error.hint).not.toBe("");
  }
  expect(model.requests).toEqual([]);
  await agent.close();
  unwrap(await store.close());
  expect(readFileSync(made.path).equals(bytes)).toBe(true);
});
