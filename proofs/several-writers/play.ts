/** Plays the scene: a driver, three senders and a forker, each a process of its own, and a kill at the end. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Agent, type Command, createAgent, createScriptedModel, type ModelRequest, unwrap } from "rein";
import { note, notes } from "../shared/json-lines.ts";
import { logOf, type ReadLog } from "../shared/read-log.ts";
import { type Ended, startWorker, type Worker } from "../shared/worker.ts";
import { type EffectNote, FILES, type ForkNote, SESSION, type Sent } from "./plan.ts";

/** How big a scene is, and how it ends. */
export interface Scene {
  /** Commands of each of the three senders, those sent twice not counted. */
  readonly commands: number;
  readonly forks: number;
  /** `frozen`: the driver stands still when it is killed and when the last commands come, so it has taken none of them; `running`: it takes what it can. */
  readonly kill: "frozen" | "running";
  readonly seed: number;
}

/** What came of it. */
export interface Played {
  readonly scene: Scene;
  readonly log: ReadLog;
  readonly sent: readonly Sent[];
  readonly effects: readonly EffectNote[];
  /** Effects that had happened when the kill was through. */
  readonly effectsAtKill: number;
  readonly requests: readonly ModelRequest[];
  readonly forks: readonly ForkNote[];
  /** How the run ended for the driver whose session was taken. */
  readonly driver: { readonly reason: string; readonly code: string | null };
  readonly killer: { readonly reason: string };
  readonly findings: readonly string[];
  readonly seconds: number;
}

const SENDERS = ["ann", "ben", "cem"];

/** Plays a scene. */
export async function play(scene: Scene): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "rein-writers-"));
  const started = performance.now();
  const driver = startWorker("several-writers/driver.worker.ts", [folder]);
  try {
    const agent = createAgent({ model: createScriptedModel([]), store: { path: join(folder, FILES.store) }, folder });
    await asking(agent, driver);
    const senders = SENDERS.map((name, index) =>
      start("sender", [folder, name, `${scene.commands}`, `${scene.seed * 10 + index}`]),
    );
    const forker = start("forker", [folder, `${scene.forks}`, `${scene.seed}`]);
    await Promise.all([...senders, forker]);
    const killer = await kill(agent, folder, scene, driver);
    const effectsAtKill = notes<EffectNote>(join(folder, FILES.effects)).length;
    driver.child.kill("SIGCONT");
    await succeeded("driver", driver.ended);
    await sendAfterTheEnd(agent, folder);
    const store = await agent.store();
    const played = {
      scene,
      log: await logOf(store, SESSION),
      sent: notes<Sent>(join(folder, FILES.sent)),
      effects: notes<EffectNote>(join(folder, FILES.effects)),
      effectsAtKill,
      requests: notes<ModelRequest>(join(folder, FILES.requests)),
      forks: notes<ForkNote>(join(folder, FILES.forks)),
      driver: JSON.parse(readFileSync(join(folder, FILES.driverEnd), "utf8")),
      killer,
      findings: unwrap(await store.verify()).findings.map(({ message }) => message),
      seconds: Math.round((performance.now() - started) / 1000),
    };
    await agent.close();
    return played;
  } finally {
    driver.child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Waits until the driver waits for a person. */
async function asking(agent: Agent, driver: Worker): Promise<void> {
  for (;;) {
    if (driver.child.exitCode !== null) await succeeded("driver", driver.ended);
    const store = await agent.store();
    const { events } = await logOf(store, SESSION);
    if (events.some(({ type }) => type === "approval.requested")) return;
    await sleep(20);
  }
}

function start(worker: "sender" | "forker", args: readonly string[]): Promise<void> {
  return succeeded(worker, startWorker(`several-writers/${worker}.worker.ts`, args).ended);
}

async function succeeded(name: string, ended: Promise<Ended>): Promise<void> {
  const { code, signal, stderr } = await ended;
  if (code !== 0) throw new Error(`The ${name} ended with ${signal ?? code}: ${stderr}`);
}

/** Sends the last commands, answers to all that is open among them, and takes the session by force. */
async function kill(agent: Agent, folder: string, { kill: how }: Scene, driver: Worker) {
  const store = await agent.store();
  if (how === "frozen") driver.child.kill("SIGSTOP");
  const { events } = await logOf(store, SESSION);
  const open = events.flatMap(({ type, data }) => (type === "approval.requested" ? [String(data.call)] : [])).slice(-4);
  const last: Command[] = open.map((call) => ({ kind: "approve", call }));
  for (let n = 1; n <= 8; n += 1)
    last.push({ kind: "input", mode: "steer", content: [{ type: "text", text: `Last ${n}.` }] });
  const sending = send(agent, folder, "last", last);
  if (how === "frozen") await sending;
  const { reason } = await agent.kill(SESSION, "The proof is over.");
  await sending;
  return { reason };
}

async function send(agent: Agent, folder: string, sender: string, commands: readonly Command[]): Promise<void> {
  for (const [index, command] of commands.entries()) {
    const commandId = `${sender}-${index + 1}`;
    const { duplicate } = await agent.send(SESSION, command, commandId);
    note(join(folder, FILES.sent), { sender, commandId, command, duplicate } satisfies Sent);
  }
}

/** What comes when the session is over waits for the next who opens it, and is refused. */
async function sendAfterTheEnd(agent: Agent, folder: string): Promise<void> {
  await send(agent, folder, "after", [
    { kind: "input", mode: "follow-up", content: [{ type: "text", text: "More." }] },
  ]);
  await agent.resume(SESSION).finish();
}
