import { hash } from "node:crypto";
import { ReinFailure } from "../../errors.ts";
import type { NewEvent } from "../../session/event.ts";
import type { Runner } from "../../session/part.ts";
import type { KernelPorts } from "./kernel-ports.ts";

/** Captures the head of the prompt into the log: system bytes and tool list as blobs, and what they were made from. */
export function captureRunner(ports: KernelPorts): Runner {
  return {
    start: (_effect, context) => ({
      go: async () => {
        const settings = context.state().kernel.settings;
        if (settings === null) return [];
        const captured = await ports.context.capture(settings);
        if (!captured.ok) throw new ReinFailure(captured.error);
        const events: NewEvent[] = captured.value.sources.map(({ source, text }) => capturedEvent(source, text));
        const blob = blobOf(JSON.stringify(ports.tools.schemas));
        const names = ports.tools.schemas.map((schema) => schema.name);
        events.push({ type: "tools.changed", data: { blob: blob.hash, names }, blobs: [blob] });
        events.push(capturedEvent("system", captured.value.system));
        return events;
      },
    }),
  };
}

function capturedEvent(source: string, text: string): NewEvent {
  const blob = blobOf(text);
  return { type: "context.captured", data: { source, blob: blob.hash, size: blob.bytes.length }, blobs: [blob] };
}

function blobOf(text: string): { readonly hash: string; readonly bytes: Uint8Array } {
  const bytes = Buffer.from(text, "utf8");
  return { hash: hash("sha256", bytes, "hex"), bytes };
}
