/** Forks the running session at its end and at earlier places, and lets each fork go on: `forker.worker.ts FOLDER COUNT SEED`. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createAgent, createScriptedModel, unwrap } from "rein";
import { note } from "../shared/json-lines.ts";
import { chance, FILES, type ForkNote, SESSION } from "./plan.ts";

const [folder = "", count = "0", seed = "1"] = process.argv.slice(2);
const random = chance(Number(seed));

for (let n = 1; n <= Number(count); n += 1) {
  const model = createScriptedModel(() => ({ text: "That is all here." }));
  const agent = createAgent({ model, store: { path: join(folder, FILES.store) }, folder, builtin: [], ask: "wait" });
  const store = await agent.store();
  const head = unwrap(await store.head(SESSION))?.seq ?? 1;
  const seq = n % 2 === 0 ? {} : { seq: 1 + Math.floor(random() * head) };
  const fork = await agent.fork(SESSION, { session: `fork-${n}`, ...seq });
  const closed = unwrap(await store.read(fork.session)).findLast(({ type }) => type === "session.forked");
  const { reason } = await agent.complete("Go on from here.", { session: fork.session });
  const { findings } = unwrap(await store.verify(fork.session));
  note(join(folder, FILES.forks), {
    session: fork.session,
    seq: (closed?.seq ?? 1) - 1,
    reason,
    findings: findings.map(({ message }) => message),
    requests: model.requests,
  } satisfies ForkNote);
  await agent.close();
  await sleep(random() * 60);
}
