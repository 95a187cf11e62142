import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Commit, createAgent, createScriptedModel, tool, unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { expect, test } from "vitest";
import { aroundStore } from "../shared/around-store.ts";
import { intentsOf } from "./intents-of.ts";
import { canTrace, traceSession } from "./trace-session.ts";

/** What came when: commits that asked for a sync and were through, and effects. */
async function order(durability: "strict" | "normal"): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), "rein-strict-"));
  const seen: string[] = [];
  const store = unwrap(await openSqliteStore({ path: join(folder, "sessions.db") }));
  const watched = aroundStore(store, {
    commit: async (commit: Commit) => {
      const committed = await store.commit(commit);
      for (const intent of intentsOf(commit)) seen.push(`${commit.durability ?? "normal"} ${intent.split(" ")[0]}`);
      return committed;
    },
  });
  const model = createScriptedModel([{ calls: [{ name: "act" }] }, { text: "Done." }]);
  const act = tool({
    name: "act",
    description: "Acts.",
    access: "public",
    input: { type: "object" },
    effects: () => [{ kind: "execute", command: "true", cwd: "." }],
    run: async (_, { hands }) => {
      seen.push("effect");
      unwrap(await hands.execute("true"));
      seen.push("process ended");
      return "Acted.";
    },
  });
  const agent = createAgent({ model, store: watched, folder, builtin: [], tools: [act], allow: ["act"], durability });
  await agent.complete("Act.", { session: "s" });
  await agent.close();
  unwrap(await store.close());
  rmSync(folder, { recursive: true });
  return seen;
}

test("under strict each intent asks for a sync, and the effect waits for it", async () => {
  expect(await order("strict")).toEqual([
    "barrier model",
    "barrier call",
    "effect",
    "barrier process",
    "process ended",
    "barrier model",
  ]);
});

test("under normal nothing asks for a sync", async () => {
  expect(await order("normal")).toEqual([
    "normal model",
    "normal call",
    "effect",
    "normal process",
    "process ended",
    "normal model",
  ]);
});

// Without strace the system calls cannot be seen; `npm run strict-trace` says so on a line of its own, and fails.
if (canTrace()) {
  test("by system-call trace a sync is over between each intent and its effect, and there are few more", {
    timeout: 120_000,
  }, async () => {
    const strict = await traceSession("strict", 10);
    expect(strict.faults).toEqual([]);
    // Eleven requests, twenty notes, two commands and their processes.
    expect(strict.effects).toBe(35);
    expect(strict.syncs).toBeGreaterThanOrEqual(strict.barriers);
    expect(strict.syncs).toBeLessThanOrEqual(strict.barriers + 4 * strict.checkpoints);
    // What is proven can fail: without barriers no effect waits.
    expect((await traceSession("normal", 3)).faults).toHaveLength(10);
  });
}
