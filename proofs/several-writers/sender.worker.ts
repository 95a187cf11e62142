/** Sends commands to the running session, some twice, too late or for nothing: `sender.worker.ts FOLDER NAME COUNT SEED`. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Command, createAgent, createScriptedModel, unwrap } from "rein";
import { note } from "../shared/json-lines.ts";
import { chance, FILES, SESSION, type Sent } from "./plan.ts";

const [folder = "", name = "", count = "0", seed = "1"] = process.argv.slice(2);
const random = chance(Number(seed));
const agent = createAgent({ model: createScriptedModel([]), store: { path: join(folder, FILES.store) }, folder });
const store = await agent.store();

/** What the log has asked a person about, and what somebody has answered. */
const asked = new Map<string, string>();
const answered = new Set<string>();
let read = 0;

async function readOn(): Promise<void> {
  for (const { seq, type, data } of unwrap(await store.read(SESSION, { from: read + 1 }))) {
    read = seq;
    const { call, digest } = JSON.parse(data ?? "{}");
    if (type === "approval.requested") asked.set(call, digest);
    if (type === "approval.answered") answered.add(call);
  }
}

function pick<T>(from: readonly T[]): T | undefined {
  return from[Math.floor(random() * from.length)];
}

/** An answer, mostly to an open question; else to one that was answered, to none, or to another call's. */
function answer(): Command {
  const kind = random() < 0.7 ? "approve" : "deny";
  const open = [...asked.keys()].filter((call) => !answered.has(call));
  const lot = random();
  if (lot < 0.1) return { kind, call: "9999.0" };
  if (lot < 0.2) return { kind, call: pick(open) ?? "9999.1", digest: "0".repeat(64) };
  const call = lot < 0.4 ? pick([...answered]) : pick(open);
  if (call === undefined) return { kind, call: "9999.2" };
  const digest = asked.get(call);
  return random() < 0.5 || digest === undefined ? { kind, call } : { kind, call, digest };
}

function next(n: number): Command {
  const lot = random();
  if (lot > 0.5) return answer();
  const text = `${name} says ${n}.`;
  return { kind: "input", mode: lot < 0.3 ? "steer" : "follow-up", content: [{ type: "text", text }] };
}

async function send(commandId: string, command: Command): Promise<void> {
  const { duplicate } = await agent.send(SESSION, command, commandId);
  note(join(folder, FILES.sent), { sender: name, commandId, command, duplicate } satisfies Sent);
}

for (let n = 1; n <= Number(count); n += 1) {
  await readOn();
  const command = next(n);
  await send(`${name}-${n}`, command);
  if (random() < 0.1) await send(`${name}-${n}`, command);
  await sleep(random() * 12);
}
await agent.close();
