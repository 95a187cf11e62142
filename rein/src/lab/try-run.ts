import { createPermitOffice } from "../core/permit.ts";
import { ok, unwrap } from "../core/errors.ts";
import { createGuard, createRedact } from "../guard/index.ts";
import { createPlainHands, resolvePath } from "../hands/index.ts";
import { createTools } from "../tools/index.ts";
import { createRehearsalModel } from "./index.ts";
const [folder = ".", task = "Examine this folder and write a report", ...allow] = process.argv.slice(2);
const clock = { now: () => Date.now(), monotonic: () => performance.now(), sleep: (ms: number, s?: AbortSignal) => new Promise<void>((r) => { const t = setTimeout(r, ms); s?.addEventListener("abort", () => { clearTimeout(t); r(); }); }), id: () => crypto.randomUUID().replaceAll("-", ""), random: () => Math.random() };
const office = createPermitOffice();
const tools = unwrap(createTools({ clock, redact: createRedact({ env: {} }), guard: createGuard({ office, resolvePath, home: "/root" }), hands: createPlainHands({ office, clock, env: process.env, host: { host: "t", bootId: "t", pidNamespace: "t" } }) }));
const messages: any[] = [{ role: "user", content: [{ type: "text", text: task }] }];
const model = createRehearsalModel();
for (let i = 0; i < 20; i++) {
  let done: any;
  for await (const p of model.stream({ model: "rehearsal", system: "", tools: tools.schemas, messages, trace: { session: "s", turn: 1, attempt: 1 } }, new AbortController().signal)) if (p.type === "done") done = p;
  messages.push({ role: "assistant", content: done.content });
  for (const b of done.content) console.log(b.type === "text" ? b.text : `  → ${b.name} ${JSON.stringify(b.input).slice(0, 120)}`);
  if (done.stop === "end") break;
  const results: any[] = [];
  for (const b of done.content) if (b.type === "tool_use") {
    const call = { session: "s", call: "1.0", name: b.name, input: b.input, offered: tools.schemas.map((t) => t.name), settings: { models: [], folder, rules: { allow, deny: [] }, limits: {}, durability: "memory" as const, ask: "deny" as const, linear: false } };
    const j = await tools.judge(call);
    if (j.decision !== "allow") { results.push({ type: "tool_result", id: b.id, isError: true, errorType: "denied", content: [{ type: "text", text: `${b.name}: denied. ${j.reason}` }] }); continue; }
    const r = await tools.execute(call, j, null, { signal: new AbortController().signal, announce: async () => ok(undefined), progress: () => {} });
    results.push({ type: "tool_result", id: b.id, isError: r.outcome !== "ok", ...(r.outcome === "ok" ? {} : { errorType: r.errorType }), content: r.content });
  }
  messages.push({ role: "tool", content: results });
}
