import { expect, it } from "vitest";
import type { CallResult } from "../../ports.ts";
import { finished } from "./call-data.ts";

const effect = { id: "call:7.0", kind: "call", input: { call: "7.0" } };
const content = [{ type: "text", text: "done" }] as const;
const blob = { hash: "0".repeat(64), bytes: new Uint8Array(1) };

it.each<[what: string, result: CallResult, data: object]>([
  ["plain", { outcome: "ok", content, stages: { find: 0.1 } }, { outcome: "ok", content, stages: { find: 0.1 } }],
  ["without stages", { outcome: "ok", content }, { outcome: "ok", content }],
  [
    "failed",
    { outcome: "error", content, errorType: "tool_failed", stages: { find: 0.1 } },
    { outcome: "error", content, errorType: "tool_failed", stages: { find: 0.1 } },
  ],
  [
    "cut",
    { outcome: "ok", content, originalBytes: 9, stages: { find: 0.1 } },
    { outcome: "ok", content, originalBytes: 9, stages: { find: 0.1 } },
  ],
  [
    "with a blob",
    { outcome: "ok", content, originalBytes: 9, blobs: [blob], stages: {} },
    { outcome: "ok", content, originalBytes: 9, stages: {} },
  ],
])("keeps all of a result in the event: %s", (_, result, data) => {
  const event = finished(effect, result, 3);
  expect(event.type).toBe("tool.finished");
  expect(event.data).toStrictEqual({ call: "7.0", duration: 3, ...data });
  expect(event.blobs).toStrictEqual(result.blobs);
});
