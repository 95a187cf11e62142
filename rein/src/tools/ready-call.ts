import { hash } from "node:crypto";
import { fail, ok, type Result } from "../core/errors.ts";
import { canonicalJson, isDeeperThan, type JsonObject, MOST_JSON_DEPTH } from "../core/json.ts";
import type { CallToJudge, Clock, Guard, Hands, PendingCall, Redact } from "../core/ports.ts";
import { argumentFault, malformedFault } from "./argument-faults.ts";
import type { CallFacts } from "./call-facts.ts";
import { after, type Maybe } from "./maybe.ts";
import { nearestName } from "./nearest-name.ts";
import type { Registry } from "./registry.ts";
import type { TextLimits } from "./result/limit-text.ts";
import { shown } from "./schema/describe-issues.ts";
import type { StageTimer } from "./stages.ts";
import type { PreparedCall, Tool } from "./tool.ts";

/** What every stage of the pipeline works with. */
export interface Pipeline {
  readonly registry: Registry;
  readonly guard: Guard;
  readonly hands: Hands;
  readonly redact: Redact;
  readonly clock: Clock;
  readonly limits: TextLimits & { readonly grace: number };
}

/** A call that was found and validated: all that the gate and the handler need. */
export interface ReadyCall {
  readonly tool: Tool;
  readonly prepared: PreparedCall;
  readonly facts: CallFacts;
  readonly toJudge: CallToJudge;
}

const MOST_NAMES = 40;

/** The stages find and validate. `tool_unknown`, `tool_arguments_invalid`, or `tool_failed` when the tool cannot say what it would do. */
export function readyCall(
  pipeline: Pipeline,
  call: PendingCall,
  input: JsonObject,
  timer: StageTimer,
  changes = 0,
): Maybe<Result<ReadyCall>> {
  const found = findTool(pipeline.registry, call);
  timer.end("find");
  if (!found.ok) return found;
  return after(validate(pipeline, found.value, call, input, changes), (ready) => {
    timer.end("validate");
    return ready;
  });
}

function findTool(registry: Registry, call: PendingCall): Result<Tool> {
  const tool = registry.find(call.name);
  if (tool !== undefined && call.offered.includes(call.name)) return ok(tool);
  const nearest = nearestName(call.name, call.offered);
  const suggestion = nearest === undefined ? "" : ` Did you mean \`${nearest}\`?`;
  const names = call.offered.slice(0, MOST_NAMES).join(", ");
  const more = call.offered.length > MOST_NAMES ? ` and ${call.offered.length - MOST_NAMES} more` : "";
  return fail(
    "tool_unknown",
    `There is no tool ${shown(call.name)} in this session.${suggestion}`,
    names === "" ? "Answer without tools: none is offered." : `Use one of: ${names}${more}.`,
  );
}

function validate(
  pipeline: Pipeline,
  tool: Tool,
  call: PendingCall,
  input: JsonObject,
  changes: number,
): Maybe<Result<ReadyCall>> {
  const fault = call.malformed === undefined ? argumentFault(input, pipeline.redact) : malformedFault(call.malformed);
  if (fault !== undefined) {
    const hint =
      call.malformed === undefined
        ? "Call it again without that."
        : "Call it again with one JSON object; make it smaller if it was cut off.";
    return fail("tool_arguments_invalid", `The arguments cannot be used. ${fault}`, hint);
  }
  return after(tool.prepare(input), (prepared) =>
    prepared.ok ? readyOf(tool, prepared.value, call, input, changes) : prepared,
  );
}

function readyOf(
  tool: Tool,
  prepared: PreparedCall,
  call: PendingCall,
  input: JsonObject,
  changes: number,
): Result<ReadyCall> {
  const { folder, rules, ask } = call.settings;
  const facts = prepared.facts({ folder });
  if (!facts.ok) return facts;
  const { effects, readOnly, ownAsk } = facts.value;
  const toJudge: CallToJudge = {
    session: call.session,
    call: call.call,
    tool: tool.name,
    input,
    effects,
    readOnly,
    isPublic: tool.access === "public",
    folder,
    rules,
    ask,
    changes,
  };
  return ok({
    tool,
    prepared,
    facts: facts.value,
    toJudge: ownAsk === undefined ? toJudge : { ...toJudge, ownAsk },
  });
}

/**
 * SHA-256 of a call that never reached the gate, so that the same call made again is known as the same. Not the gate's
 * digest: nothing can be approved by it.
 */
export function unjudgedDigest(call: PendingCall): string {
  const given = call.malformed ?? (isDeeperThan(call.input, MOST_JSON_DEPTH) ? "" : canonicalJson(call.input));
  return hash("sha256", `unjudged\n${call.name}\n${given}`, "hex");
}
