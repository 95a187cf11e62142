/** A tools port without guard and hands: for tests of the brain alone. What each tool does is given by the test. */
import { hash } from "node:crypto";
import { canonicalJson, own } from "../json.ts";
import type { CallContext, CallResult, PendingCall, Tools } from "../ports.ts";
import type { CallJudgement } from "../session/kernel-events.ts";

/** One tool of the fake. */
export interface FakeTool {
  readonly decision?: CallJudgement["decision"];
  readonly readOnly?: boolean;
  readonly recover?: CallJudgement["recover"];
  readonly accesses?: CallJudgement["accesses"];
  readonly run?: (call: PendingCall, context: CallContext) => string | Promise<string>;
  readonly reconcile?: (call: PendingCall) => CallResult | null;
  /** The judgement comes later, as if someone outside were asked. */
  readonly slowJudge?: boolean;
}

/** Makes the port. A tool that throws gives an `error` result; one that is not there is denied. */
export function createFakeTools(tools: Readonly<Record<string, FakeTool>>): Tools {
  return {
    schemas: Object.keys(tools).map((name) => ({ name, description: name, input: { type: "object" } })),
    judge: (call) => {
      const judgement = judge(tools, call);
      return own(tools, call.name)?.slowJudge === true ? Promise.resolve(judgement) : judgement;
    },
    execute: async (call, _judgement, _approved, context) => execute(own(tools, call.name), call, context),
    reconcile: async (call) => own(tools, call.name)?.reconcile?.(call) ?? null,
  };
}

function judge(tools: Readonly<Record<string, FakeTool>>, call: PendingCall): CallJudgement {
  const tool = own(tools, call.name);
  const digest = hash("sha256", canonicalJson({ tool: call.name, input: call.input }), "hex");
  const readOnly = tool?.readOnly ?? false;
  const decision = tool === undefined || call.malformed !== undefined ? "deny" : (tool.decision ?? "allow");
  return {
    decision: decision === "ask" && call.settings.ask === "deny" ? "deny" : decision,
    policy: "fake",
    reason: decision === "deny" ? "The fake says no." : "The fake says so.",
    digest,
    effects: [],
    readOnly,
    recover: tool?.recover ?? (readOnly ? "rerun" : "never"),
    accesses: tool?.accesses ?? (readOnly ? [] : [{ resource: "*", write: true }]),
  };
}

async function execute(tool: FakeTool | undefined, call: PendingCall, context: CallContext): Promise<CallResult> {
  try {
    const text = await (tool?.run?.(call, context) ?? `ran ${call.name}`);
    if (context.signal.aborted)
      return {
        outcome: "interrupted",
        errorType: "interrupted",
        content: [{ type: "text", text: `${call.name}: interrupted` }],
      };
    return { outcome: "ok", content: [{ type: "text", text }] };
  } catch (thrown) {
    return { outcome: "error", errorType: "tool_failed", content: [{ type: "text", text: String(thrown) }] };
  }
}
