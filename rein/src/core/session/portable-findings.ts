import type { ExportEnd, ExportHead } from "./portable-format.ts";
import type { Finding } from "./store.ts";

/** What was found in one line. */
export interface LineMark {
  readonly line: number;
  /** Of a good event. */
  readonly seq?: number;
  /** Why the line is not used. */
  readonly fault?: string;
}

/** What a reader has seen of an export. */
interface Seen {
  readonly head: ExportHead | null;
  /** The closing line, with the sum of the lines before it. */
  readonly end: (ExportEnd & { readonly line: number; readonly sum: string }) | null;
  readonly marks: readonly LineMark[];
  readonly events: number;
  readonly blobs: number;
}

/** Events that are missing. */
interface Gap {
  readonly from: number;
  readonly to: number;
}

/**
 * What is wrong with an export. A file without its closing line whose last line alone is broken has been cut: that is a loss
 * at its end. A broken line that others follow is damage.
 */
export function exportFindings(seen: Seen): readonly Finding[] {
  const { head, end, marks, events, blobs } = seen;
  const last = marks.at(-1);
  const torn = end === null && last?.fault !== undefined ? last : null;
  const body = torn === null ? marks : marks.slice(0, -1);
  const { findings, seq, broken } = bodyFindings(body);

  const tail = head !== null && head.head.seq > seq ? { from: seq + 1, to: head.head.seq } : null;
  const lostBlobs = Math.max((head?.blobs ?? 0) - blobs, 0);
  if (end === null) {
    findings.push(...damageOf(broken, null), cutFinding(torn, body.at(-1)?.line ?? 0, tail, lostBlobs));
    return findings;
  }
  findings.push(...damageOf(broken, tail));
  if (broken.length === 0 && tail !== null) findings.push(missing(end.line, tail));
  if (head === null && findings.length === 0) findings.push(damage(1, "The first line was taken out."));
  if (lostBlobs > 0) findings.push(damage(end.line, `${lostBlobs} of ${head?.blobs} blobs are missing.`));
  const whole = end.events === events && end.blobs === blobs && end.sum === end.sha256;
  if (findings.length === 0 && !whole) {
    findings.push(damage(end.line, `The lines before line ${end.line} are not those that it closes.`));
  }
  return findings;
}

/** Walks the lines; gives the broken ones behind the last event apart, since what they cost shows only at the end. */
function bodyFindings(marks: readonly LineMark[]): {
  readonly findings: Finding[];
  readonly seq: number;
  readonly broken: readonly LineMark[];
} {
  const findings: Finding[] = [];
  let broken: LineMark[] = [];
  let last = 0;
  for (const mark of marks) {
    if (mark.fault !== undefined) broken.push(mark);
    if (mark.seq === undefined) continue;
    const gap = mark.seq > last + 1 ? { from: last + 1, to: mark.seq - 1 } : null;
    if (gap !== null && broken.length === 0) findings.push(missing(mark.line, gap));
    else findings.push(...damageOf(broken, gap));
    broken = [];
    last = mark.seq;
  }
  return { findings, seq: last, broken };
}

/** Broken lines in a row; what they cost is said with the first. */
function damageOf(broken: readonly LineMark[], gap: Gap | null): readonly Finding[] {
  return broken.map(({ line, fault }, index) =>
    index === 0 && gap !== null
      ? damage(line, `Line ${line} ${fault}: ${textOf(gap)} lost.`, gap)
      : damage(line, `Line ${line} ${fault}.`),
  );
}

function missing(line: number, gap: Gap): Finding {
  return damage(line, `Lines were taken out before line ${line}: ${textOf(gap)} lost.`, gap);
}

function cutFinding(torn: LineMark | null, lastLine: number, tail: Gap | null, blobs: number): Finding {
  const line = torn?.line ?? lastLine;
  const where =
    torn === null ? `The file ends behind line ${line}, without its closing line` : `The file is cut in line ${line}`;
  const lost = [...(tail === null ? [] : [textOf(tail)]), ...(blobs === 0 ? [] : [`${blobs} blobs`])];
  if (lost.length === 0) {
    return { kind: "notice", message: `${where}; all that comes before is there.`, place: { line } };
  }
  return { kind: "loss", message: `${where}: ${lost.join(" and ")} lost.`, ...tail, place: { line } };
}

function damage(line: number, message: string, gap: Gap | null = null): Finding {
  return { kind: "damage", message, ...gap, place: { line } };
}

function textOf({ from, to }: Gap): string {
  return from === to ? `event ${from}` : `events ${from} to ${to}`;
}
