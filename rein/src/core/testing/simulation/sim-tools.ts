import { ok } from "../../errors.ts";
import type { CallContext, Hands, PendingCall, Tools } from "../../ports.ts";
import type { CallJudgement } from "../../session/index.ts";
import { createFakeTools, type FakeTool } from "../fake-tools.ts";
import { createFaultyTools } from "../faulty-tools.ts";
import type { Life } from "./life.ts";
import type { Plan } from "./plan.ts";
import type { World } from "./world.ts";

/** Names of the world's tools. */
export const SIM_TOOL_NAMES = ["look", "peek", "note", "save", "drop", "sync", "build", "ship"] as const;

type Run = (call: PendingCall, context: CallContext) => Promise<string>;

/** Tools that change the world, each in another way; the world notes what really happened. */
export function createSimTools(world: World, life: Life, plan: Plan): Tools {
  const runs = runsOf(world, life);
  const reconcile = (call: PendingCall) =>
    world.hasEffect(call.session, call.call)
      ? ({ outcome: "ok", content: [{ type: "text", text: `found the work of ${call.call}` }] } as const)
      : null;
  const table: Readonly<Record<(typeof SIM_TOOL_NAMES)[number], FakeTool>> = {
    look: { readOnly: true, run: runs.look },
    peek: { readOnly: true, run: runs.look },
    note: { run: runs.work },
    save: { decision: "ask", run: runs.work },
    drop: { decision: "deny", run: runs.work },
    sync: { recover: "reconcile", run: runs.work, reconcile },
    build: { run: runs.process },
    ship: { decision: "ask", run: runs.process },
  };
  const fake = createFakeTools(table);
  const tools: Tools = {
    ...fake,
    judge: (call) => {
      const judgement = judgeAt(fake, call);
      return call.name === "peek" ? late(world, life, judgement) : judgement;
    },
    async reconcile(call, judgement, context) {
      await life.clock.sleep(world.dice.int(1, 300), context.signal);
      return fake.reconcile(call, judgement, context);
    },
  };
  return createFaultyTools(tools, {
    random: world.dice.random,
    clock: life.clock,
    get chances() {
      return world.storming ? plan.tools : {};
    },
    timeout: 5_000,
    crash: () => life.crash("in a tool"),
    onFault: (fault, call) => {
      world.count(`tool ${fault}`);
      if (fault === "hang") world.track(losePatience(world, call.session));
    },
  });
}

/** Somebody sees that a tool hangs. */
async function losePatience(world: World, session: string): Promise<void> {
  await world.timeline.sleep(world.dice.int(1_000, 40_000));
  await world.put(session, `patience-${world.nextId()}`, { kind: "interrupt" });
}

/** What the hands of a process end of an earlier one's work. */
export function createSimHands(world: World, life: Life, by: () => string): Pick<Hands, "endSurvivors"> {
  return {
    async endSurvivors(identity) {
      await life.pass();
      return ok({ ended: world.endSurvivor(life.name, by(), identity) });
    },
  };
}

function judgeAt(tools: Tools, call: PendingCall): CallJudgement | Promise<CallJudgement> {
  const judgement = tools.judge(call);
  return judgement instanceof Promise ? judgement : placed(judgement, call);
}

/** Some work touches one place only, so it may run beside work elsewhere. */
function placed(judgement: CallJudgement, { name, input }: PendingCall): CallJudgement {
  const { at } = input;
  if (judgement.decision === "deny" || typeof at !== "string") return judgement;
  if (!judgement.readOnly && name !== "note" && name !== "build") return judgement;
  return { ...judgement, accesses: [{ resource: at, write: !judgement.readOnly }] };
}

async function late(
  world: World,
  life: Life,
  judgement: CallJudgement | Promise<CallJudgement>,
): Promise<CallJudgement> {
  await life.clock.sleep(world.dice.int(1, 1_500));
  return judgement;
}

function runsOf(world: World, life: Life): { readonly look: Run; readonly work: Run; readonly process: Run } {
  const { dice } = world;
  const wait = (most: number, context: CallContext): Promise<void> | undefined =>
    dice.chance(0.7) ? life.clock.sleep(dice.int(1, most), context.signal) : undefined;
  const work = async (call: PendingCall, context: CallContext, readOnly: boolean): Promise<string> => {
    await wait(2_000, context);
    if (context.signal.aborted) return "stopped before anything happened";
    await life.pass();
    world.effect(life.name, call.session, call.call, call.name, readOnly, false);
    if (dice.chance(0.2)) context.progress({ kind: "step", step: 1, total: 2, status: "half" });
    await wait(1_000, context);
    await life.pass();
    return `${call.name} did ${call.call}`;
  };
  return {
    look: (call, context) => work(call, context, true),
    work: (call, context) => work(call, context, false),
    process: (call, context) => runProcess(world, life, call, context),
  };
}

/** As the hands do it: a launcher waits, the log is told, the byte is sent, the process works on its own. */
async function runProcess(world: World, life: Life, call: PendingCall, context: CallContext): Promise<string> {
  const { dice } = world;
  const process = world.launch(life.name, call.session, call.call);
  const announced = await context.announce(process.identity);
  await life.pass();
  if (!announced.ok || context.signal.aborted) {
    process.over = true;
    return "not started";
  }
  if (process.over) return "ended before it began";
  process.released = true;
  const done = working(world, life, call, process, dice.int(1, 3_000));
  world.track(done);
  await Promise.race([done, aborted(context.signal)]);
  await life.pass();
  if (context.signal.aborted) process.over = true;
  return `${call.name} ran ${call.call}`;
}

async function working(
  world: World,
  life: Life,
  call: PendingCall,
  process: { over: boolean },
  length: number,
): Promise<void> {
  await world.timeline.sleep(length);
  if (!process.over) world.effect(life.name, call.session, call.call, call.name, false, true);
  process.over = true;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
