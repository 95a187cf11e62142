import type { Command } from "../../session/index.ts";
import type { Plan } from "./plan.ts";
import type { CommitNote } from "./recording.ts";
import type { World } from "./world.ts";

/** Milliseconds within which most people answer, and the late ones. */
const SOON = 4_000;
const LATE = 40_000;

/** People see each request for an approval and answer it: soon, late, twice, for another call, or never. */
export function startPeople(world: World): void {
  world.watchCommits((note, types) => {
    for (const [index, type] of types.entries()) {
      if (type !== "approval.requested") continue;
      const asked: { readonly call: string; readonly digest: string } = JSON.parse(note.data[index] ?? "{}");
      world.track(answer(world, note, asked.call, asked.digest));
    }
  });
}

async function answer(world: World, { session }: CommitNote, call: string, digest: string): Promise<void> {
  const { dice } = world;
  const kind = dice.chance(0.6) ? "approve" : "deny";
  const other = kind === "approve" ? "deny" : "approve";
  const id = `answer-${world.nextId()}`;
  const manner = dice.weigh([
    [8, "once"],
    [2, "late"],
    [2, "twice"],
    [1, "both"],
    [2, "wrong digest"],
    [1, "no digest"],
    [1, "never"],
  ]);
  world.count(`answer ${manner}`);
  if (manner === "never") return;
  await world.timeline.sleep(manner === "late" ? dice.int(SOON, LATE) : dice.int(10, SOON));
  const say = (commandId: string, command: Command) => world.put(session, commandId, command);
  switch (manner) {
    case "wrong digest":
      await say(id, { kind: "approve", call, digest: "0".repeat(64) });
      await world.timeline.sleep(dice.int(10, SOON));
      if (dice.chance(0.5)) await say(`${id}-2`, { kind, call, digest });
      return;
    case "no digest":
      return say(id, { kind, call });
    case "twice":
      await say(id, { kind, call, digest });
      await world.timeline.sleep(dice.int(0, 500));
      return say(id, { kind, call, digest });
    case "both":
      await say(id, { kind, call, digest });
      await world.timeline.sleep(dice.int(0, 500));
      return say(`${id}-2`, { kind: other, call, digest, note: "I changed my mind." });
    default:
      return say(id, { kind, call, digest });
  }
}

/** Somebody starts a session and goes on talking to it while the storm lasts. */
export async function talkTo(world: World, plan: Plan, session: string): Promise<void> {
  const { dice, timeline } = world;
  await world.put(session, `start-${world.nextId()}`, input(world, "start"));
  while (world.storming) {
    await timeline.sleep(dice.int(1, plan.gaps.command * 2));
    if (!world.storming) return;
    await say(world, session);
  }
}

async function say(world: World, session: string): Promise<void> {
  const { dice, timeline } = world;
  const kind = dice.weigh([
    [5, "steer"],
    [4, "follow-up"],
    [2, "start"],
    [2, "interrupt"],
    [1, "pause"],
    [0.5, "resume"],
    [1, "stop"],
    [0.3, "kill"],
    [1, "settings"],
    [0.3, "nonsense"],
    [0.3, "stray approval"],
  ] as const);
  const id = `${kind}-${world.nextId()}`;
  await world.put(session, id, commandOf(world, kind));
  if (dice.chance(0.1)) {
    // The answer was lost, so it is sent again.
    await timeline.sleep(dice.int(0, 2_000));
    await world.put(session, id, commandOf(world, kind));
  }
  if (kind === "pause" && dice.chance(0.8)) {
    await timeline.sleep(dice.int(0, 8_000));
    await world.put(session, `${id}-over`, { kind: "resume" });
  }
}

function commandOf(world: World, kind: string): Command | null {
  const { dice } = world;
  switch (kind) {
    case "steer":
    case "follow-up":
    case "start":
      return input(world, kind);
    case "interrupt":
    case "pause":
    case "resume":
    case "stop":
      return { kind };
    case "kill":
      return { kind, reason: "enough" };
    case "settings":
      return {
        kind,
        change: dice.pick([
          { ask: "deny" },
          { ask: "wait" },
          { limits: {} },
          { limits: { maxTurns: 3 } },
          { models: ["first"] },
          { models: ["second", "first"] },
        ] as const),
      };
    case "stray approval":
      return { kind: "approve", call: `${dice.int(1, 40)}.0` };
    default:
      return null;
  }
}

function input(world: World, mode: "start" | "steer" | "follow-up"): Command {
  return { kind: "input", mode, content: [{ type: "text", text: `${mode} ${world.nextId()}` }] };
}
