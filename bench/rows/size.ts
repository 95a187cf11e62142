import { atMost, type Figure } from "../figures.ts";
import { runJob } from "../job.ts";
import type { LogBytesInput, LogBytesOutput } from "../jobs/log-bytes.ts";
import type { Plan } from "../plan.ts";

/** What a closed store takes on the disk. It does not vary, so it is measured once. */
export function sizeRows({ less }: Plan): readonly Figure[] {
  const turns = Math.ceil(400 / less);
  const large = runJob<LogBytesOutput>("log-bytes", {
    turns,
    speech: { text: "x".repeat(4_096), piece: 4_096 },
  } satisfies LogBytesInput);
  const small = runJob<LogBytesOutput>("log-bytes", { turns } satisfies LogBytesInput);
  const overhead = (small.file - small.content) / small.events;
  const kilobytes = (bytes: number): string => `${Math.round(bytes / 1_024)} KiB`;
  return [
    atMost(
      "size",
      "closed store against its content, 4 KiB a turn",
      { most: 1.3, unit: "×", digits: 2 },
      [large.file / large.content],
      `${kilobytes(large.file)} for ${kilobytes(large.content)}`,
    ),
    atMost(
      "size",
      "overhead of an event, short turns",
      { most: 250, unit: "bytes" },
      [overhead],
      `${small.events} events, ${kilobytes(small.file)} for ${kilobytes(small.content)}`,
    ),
  ];
}
