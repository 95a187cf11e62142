import type { ToolProgress } from "../../ports.ts";
import type { EffectContext } from "../../session/part.ts";
import type { StreamPart } from "../../session/stream.ts";

/**
 * Live output of a call as parts. A tool does not wait for the reader, so while the buffer is full its parts are left out; how many is
 * told as soon as there is room. The result itself is not touched.
 */
export function progressOf(call: string, context: Pick<EffectContext, "emit">): (part: ToolProgress) => void {
  let full = false;
  let left = 0;
  const roomAgain = (): void => {
    full = false;
    if (left === 0) return;
    const text = `[${left} parts of live output left out: the reader was behind]`;
    left = 0;
    emit({ type: "tool_progress", call, kind: "output", text });
  };
  const emit = (part: StreamPart): void => {
    const room = context.emit(part);
    if (!(room instanceof Promise)) return;
    full = true;
    void room.then(roomAgain);
  };
  return (progress) => {
    if (full) left += 1;
    else emit(partOf(call, progress));
  };
}

function partOf(call: string, progress: ToolProgress): StreamPart {
  if (progress.kind === "output") return { type: "tool_progress", call, kind: "output", text: progress.text };
  const total = progress.total === undefined ? {} : { total: progress.total };
  return { type: "tool_progress", call, kind: "step", text: progress.status, step: progress.step, ...total };
}
