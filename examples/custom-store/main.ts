// A store of one's own: shown to conform by the exported suite, then used by an agent.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgent, createScriptedModel, type Owner, type Store } from "rein";
import { createMemoryStore } from "rein/store";
import { type StoreUnderTest, storeConformance } from "rein/store-conformance";
import { MirroredStore } from "./mirrored-store.ts";

const folder = mkdtempSync(join(tmpdir(), "rein-custom-store-"));
const mirror = join(folder, "mirror.jsonl");

/** Five processes, as the suite asks for them: two that live, two that have ended, one that cannot be seen from here. */
const owner = (pid: number, more: Partial<Owner> = {}): Owner => {
  return { host: "host", bootId: "boot", pidNamespace: "here", pid, startTime: "100", ...more };
};
const owners: StoreUnderTest["owners"] = {
  alive: owner(1),
  other: owner(2),
  dead: owner(3),
  reusedPid: owner(2, { startTime: "50" }),
  elsewhere: owner(1, { pidNamespace: "there" }),
};
const alive = ({ pid, pidNamespace, startTime }: Owner): "alive" | "dead" | "unknown" => {
  if (pidNamespace !== "here") return "unknown";
  return pid <= 2 && startTime === "100" ? "alive" : "dead";
};

async function makeStore(): Promise<StoreUnderTest> {
  let time = 0;
  const store: Store = new MirroredStore(createMemoryStore({ now: () => time, alive }), mirror);
  const setTime = (ms: number): void => {
    time = ms;
  };
  return { store, setTime, owners, dispose: async () => rmSync(mirror, { force: true }) };
}

// With a test runner: for (const check of storeConformance(makeStore)) test(check.name, check.run);
let failed = 0;
const checks = storeConformance(makeStore, { modelTime: 3_000 });
for (const { name, run } of checks) {
  try {
    await run();
  } catch (thrown) {
    failed += 1;
    console.error(`FAILED ${name}: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}
console.log(`the mirrored store passes ${checks.length - failed} of ${checks.length} checks`);

const store = new MirroredStore(createMemoryStore(), mirror);
const agent = createAgent({ model: createScriptedModel([{ text: "Hello." }]), store, builtin: [] });
await agent.complete("Say hello.", { session: "s" });
await agent.close();
await store.close();
const types = readFileSync(mirror, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line).type);
console.log(`the mirror of one run: ${types.join(", ")}`);
rmSync(folder, { recursive: true });
if (failed > 0 || store.faults.length > 0 || types.at(-1) !== "run.ended") process.exitCode = 1;
