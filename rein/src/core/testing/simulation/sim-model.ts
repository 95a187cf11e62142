import type { JsonObject } from "../../json.ts";
import type { Block } from "../../message/message.ts";
import type { Model, ModelRequest, ModelStreamPart } from "../../ports.ts";
import type { StopReason, Usage } from "../../session/index.ts";
import { createFaultyModel } from "../faulty-model.ts";
import type { Life } from "./life.ts";
import type { Plan } from "./plan.ts";
import { SIM_TOOL_NAMES } from "./sim-tools.ts";
import type { World } from "./world.ts";

/** A model that says anything a model may say, and some things it should not; in calm weather it comes to an end. */
export function createSimModel(world: World, life: Life, plan: Plan): Model {
  const honest: Model = {
    id: "first",
    capabilities: () => ({ images: true, documents: true, parallelCalls: true }),
    stream: (request, signal) => speak(world, life, plan, request, signal),
  };
  const faulty = createFaultyModel(honest, {
    random: world.dice.random,
    clock: life.clock,
    get chances() {
      return world.storming ? plan.model : {};
    },
    ...(plan.modelErrors !== undefined && { codes: plan.modelErrors }),
    onFault: (fault) => world.count(`model ${fault}`),
  });
  return {
    ...faulty,
    stream(request, signal) {
      world.noteRequest(life.name, request.trace.session, request);
      world.tell(
        life.name,
        () =>
          `${request.trace.session} asks ${request.model} (${request.trace.turn}.${request.trace.attempt}, ${request.messages.length} messages)`,
      );
      return faulty.stream(request, signal);
    },
  };
}

async function* speak(
  world: World,
  life: Life,
  plan: Plan,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamPart> {
  const { dice } = world;
  const { content, stop } = message(world, plan, request);
  await life.clock.sleep(dice.int(1, 400), signal);
  for (const [index, block] of content.entries()) {
    if (signal.aborted) return;
    yield* partsOf(world, life, block, index, signal);
  }
  if (signal.aborted && dice.chance(0.5)) return;
  await life.pass();
  const usage: Usage = { input: dice.int(10, 200), output: dice.int(1, 100) };
  yield { type: "done", content, stop, usage, vendor: "world" };
}

async function* partsOf(
  world: World,
  life: Life,
  block: Block,
  index: number,
  signal: AbortSignal,
): AsyncGenerator<ModelStreamPart> {
  if (block.type === "tool_use") {
    yield { type: "block_start", index, block: "tool_use", id: block.id, name: block.name };
    yield { type: "input_delta", index, json: block.malformed ?? JSON.stringify(block.input) };
    yield { type: "block_end", index };
  } else if (block.type === "text") {
    yield { type: "block_start", index, block: "text" };
    const half = Math.ceil(block.text.length / 2);
    for (const text of [block.text.slice(0, half), block.text.slice(half)]) {
      yield { type: "text_delta", index, text };
      if (world.dice.chance(0.4)) await life.clock.sleep(world.dice.int(1, 600), signal);
      if (signal.aborted) return;
    }
    yield { type: "block_end", index };
  }
}

function message(
  world: World,
  plan: Plan,
  request: ModelRequest,
): { readonly content: readonly Block[]; readonly stop: StopReason } {
  const { dice } = world;
  const text: Block = { type: "text", text: dice.pick(["Looking.", "On it.", "Almost there, one more thing.", " "]) };
  if (!world.storming) return { content: [{ type: "text", text: "Done." }], stop: "end" };
  const tired = request.messages.length > plan.turns * 3;
  const stop = dice.weigh<StopReason | "usual">([
    [40, "usual"],
    [2, "max_output"],
    [1, "pause"],
    [0.5, "refusal"],
    [0.5, "content_filter"],
    [1, "stop_sequence"],
  ]);
  if (dice.chance(0.02)) return { content: [], stop: "end" };
  if (dice.chance(tired ? 0.8 : 0.2)) return { content: [text], stop: stop === "usual" ? "end" : stop };
  const stuck = dice.chance(0.1);
  const calls = Array.from(
    {
      length: stuck
        ? 3
        : dice.weigh([
            [4, 1],
            [3, 2],
            [2, 3],
            [1, 5],
          ]),
    },
    () => call(world, stuck),
  );
  const content = dice.chance(0.6) ? [text, ...calls] : calls;
  if (dice.chance(0.1)) content.push({ type: "thinking", text: "Hm.", signature: "s", vendor: "world" });
  return { content, stop: stop === "usual" ? (dice.chance(0.95) ? "tool_use" : "end") : stop };
}

/** A call; its `n` is one nobody had before, unless the model is stuck. */
function call(world: World, stuck: boolean): Block {
  const { dice } = world;
  const id = dice.weigh([
    [30, `c${world.nextId()}`],
    [1, ""],
    [1, "same"],
  ]);
  if (stuck) return { type: "tool_use", id, name: "look", input: { at: "/world/a" } };
  const name = dice.weigh([
    [30, dice.pick(SIM_TOOL_NAMES)],
    [1, "nowhere"],
    [1, "not a name!"],
    [1, "__proto__"],
  ]);
  const input: JsonObject = { n: world.nextId(), at: dice.pick(["/world/a", "/world/b", "/world/a/c", "/world/d"]) };
  return dice.chance(0.03)
    ? { type: "tool_use", id, name, input: {}, malformed: '{"at": "/wor' }
    : { type: "tool_use", id, name, input };
}
