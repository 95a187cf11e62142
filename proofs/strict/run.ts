/** The whole proof: `npm run strict-trace [-- --turns 100]`. Needs `strace`; without it, it says so and fails. */
import { parseArgs } from "node:util";
import { canTrace, traceSession } from "./trace-session.ts";

/** Syncs that one move of the WAL into the database may cost. */
const PER_CHECKPOINT = 4;

const { values } = parseArgs({ options: { turns: { type: "string", default: "100" } } });
if (!canTrace()) {
  console.error("strict: strace cannot be run here (install it, or allow tracing), so nothing is proven.");
  process.exit(1);
}
const strict = await traceSession("strict", Number(values.turns));
const most = strict.barriers + PER_CHECKPOINT * strict.checkpoints;
for (const fault of strict.faults.slice(0, 50)) console.error(`strict: ${fault}`);
console.log(
  `strict: ${strict.effects} effects, ${strict.faults.length} before their sync; ${strict.barriers} barriers, ${strict.checkpoints} WAL checkpoints, ${strict.syncs} syncs (at most ${most})`,
);
// The same session without barriers: what is proven must be able to fail.
const normal = await traceSession("normal", Number(values.turns));
console.log(`normal: ${normal.effects} effects, ${normal.faults.length} before a sync; ${normal.syncs} syncs`);
if (strict.faults.length > 0 || strict.syncs > most || strict.effects === 0 || normal.faults.length === 0)
  process.exitCode = 1;
