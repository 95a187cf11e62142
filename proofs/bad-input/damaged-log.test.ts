import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { type ReinError, ReinFailure, tool } from "rein";
import { expect, test } from "vitest";
import { Scene } from "./scene.ts";

/** Bits that are turned over, evenly over the file. */
const PLACES = 40;

let acted = 0;
const act = tool({
  name: "act",
  description: "Acts.",
  access: "public",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  effects: () => [{ kind: "state", what: "count" }],
  run: ({ n }) => {
    acted += 1;
    return `Result ${n}: ${"some text of it. ".repeat(20)}`;
  },
});

test("a damaged log stops the session with its place and a hint, or does not touch it; it is never taken for a shorter one", {
  timeout: 120_000,
}, async () => {
  const made = new Scene();
  const script = Array.from({ length: 12 }, (_, n) => ({ text: `Step ${n}.`, calls: [{ name: "act", input: { n } }] }));
  const whole = await made.run([...script, { text: "Done." }], { tools: [act] });
  const said = JSON.stringify(whole.model.requests.at(-1)?.messages);
  acted = 0;

  const ends: string[] = [];
  for (let place = 0; place < PLACES; place += 1) ends.push(await goOn(copyOf(made, (place + 0.5) / PLACES), said));
  expect(ends.filter((end) => end !== "damaged" && end !== "unharmed")).toEqual([]);
  expect(ends.filter((end) => end === "damaged").length).toBeGreaterThan(2);
  expect(acted).toBe(0);
  expect(await goOn(copyOf(made, null), said)).toBe("unharmed");
});

/** A copy of the store with one bit turned over at a part of its length; null: as it was. */
function copyOf(made: Scene, part: number | null): Scene {
  const copy = new Scene();
  cpSync(made.path, copy.path);
  cpSync(`${made.path}-heads`, `${copy.path}-heads`, { recursive: true });
  const bytes = readFileSync(copy.path);
  const at = Math.floor((part ?? 0) * bytes.length);
  if (part !== null) bytes.writeUInt8(bytes.readUInt8(at) ^ 0x10, at);
  writeFileSync(copy.path, bytes);
  return copy;
}

/** `damaged`: it was refused as that. `unharmed`: it went on with all that was said. Else what was wrong. */
async function goOn(made: Scene, said: string): Promise<string> {
  try {
    const { result, model } = await made.run([{ text: "Going on." }], { tools: [act], input: "Go on." });
    if (result.error !== undefined) return refusal(result.error);
    const [request] = model.requests;
    return JSON.stringify(request?.messages).startsWith(said.slice(0, -1)) ? "unharmed" : "went on with something else";
  } catch (thrown) {
    if (thrown instanceof ReinFailure) return refusal(thrown.error);
    throw thrown;
  }
}

/** An error in the log has no member for its place: there the message names it. */
function refusal({ code, message, hint, place }: ReinError): string {
  const isPlaced = place !== undefined || /the blob [0-9a-f]{64}/.test(message);
  return code === "store_damaged" && hint !== "" && isPlaced ? "damaged" : `refused as ${code}: ${message} ${hint}`;
}
