/** The whole proof: `npm run several-writers [-- --commands 200] [-- --forks 20] [-- --seed 1]`, once with each way the kill can come. */
import { parseArgs } from "node:util";
import { play, type Scene } from "./play.ts";
import { faultsOf, figuresOf } from "./what-must-hold.ts";

const { values } = parseArgs({
  options: {
    commands: { type: "string", default: "200" },
    forks: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
  },
});
const size = { commands: Number(values.commands), forks: Number(values.forks), seed: Number(values.seed) };
const scenes: readonly Scene[] = [
  { ...size, kill: "running" },
  { ...size, kill: "frozen" },
];
for (const scene of scenes) {
  const played = await play(scene);
  const faults = faultsOf(played);
  const figures = Object.entries(figuresOf(played)).map(([name, figure]) => `${name} ${figure}`);
  console.log(
    `${faults.length === 0 ? "ok    " : "FAULTY"} driver ${scene.kill} at the kill: ${figures.join(", ")}; ${played.seconds} s`,
  );
  for (const fault of faults.slice(0, 50)) console.log(`         ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
