/** Reads an exported session and says, line by line, what of it is what was written. */
import { createHash } from "node:crypto";
import { errorOfThrown, fail, ok, type Result } from "../errors.ts";
import { exportFindings, type LineMark } from "./portable-findings.ts";
import { EXPORT_FORMAT, EXPORT_VERSION, type ExportEnd, type ExportHead, readLine } from "./portable-format.ts";
import { type ExportSource, linesOf } from "./portable-lines.ts";
import type { Finding, StoredEvent } from "./store.ts";

/** Takes the good parts of an export: events with growing seqs, then blobs. */
export interface ExportSink {
  event(event: StoredEvent): void;
  blob(hash: string, bytes: Uint8Array): void;
}

/** What an export holds. */
export interface ExportReport {
  /** Null when the first line is damaged. */
  readonly head: ExportHead | null;
  /** Good events, tombstones among them. */
  readonly events: number;
  readonly erased: number;
  readonly blobs: number;
  /** Events the session had that the file does not hold whole. */
  readonly lost: number;
  /**
   * `damage`: something in the middle is not what was written. `loss`: the file is cut, and what stands before is whole.
   * `notice`: harmless. Each names its line in `place`.
   */
  readonly findings: readonly Finding[];
}

/** Missing events in a row above which the number of the next one is not believed. */
const MOST_MISSING = 10_000;

/**
 * Reads an export to its end. `import_invalid` when it is empty, unreadable or no export at all, `version_unknown` when a
 * newer Rein wrote it; whatever else is wrong stands in the report.
 */
export async function readExport(source: ExportSource, sink: ExportSink): Promise<Result<ExportReport>> {
  const reader = new ExportReader(sink);
  try {
    for await (const { number, text, fault } of linesOf(source)) {
      const refusal = reader.take(number, text, fault ?? "is not what was written");
      if (refusal !== null) return refusal;
    }
  } catch (thrown) {
    return { ok: false, error: errorOfThrown(thrown, "import_invalid", "Check that the file can be read to its end.") };
  }
  return reader.finish();
}

/** What has been read so far. */
class ExportReader {
  readonly #sink: ExportSink;
  readonly #sum = createHash("sha256");
  readonly #marks: LineMark[] = [];
  #head: ExportHead | null = null;
  #end: (ExportEnd & { readonly line: number; readonly sum: string }) | null = null;
  #seq = 0;
  #events = 0;
  #erased = 0;
  #blobs = 0;

  constructor(sink: ExportSink) {
    this.#sink = sink;
  }

  /** Takes the next line; a result refuses the whole file. */
  take(line: number, text: string | null, fault: string): Result<never> | null {
    const record = text === null ? null : readLine(text);
    if (record?.kind === "foreign" && this.#marks.length === 0) return foreign(record.format, record.version);
    if (record?.kind === "end" && this.#end === null) {
      this.#end = { ...record.end, line, sum: this.#sum.copy().digest("hex") };
      return null;
    }
    if (text !== null) this.#sum.update(`${text}\n`);
    this.#marks.push(record === null ? { line, fault } : this.#mark(line, record));
    return null;
  }

  #mark(line: number, record: NonNullable<ReturnType<typeof readLine>>): LineMark {
    if (this.#end !== null) return { line, fault: "stands behind the closing line" };
    switch (record.kind) {
      case "head":
        if (this.#marks.length > 0) return { line, fault: "is a first line in the middle" };
        this.#head = record.head;
        return { line };
      case "event": {
        const { event } = record;
        const { seq } = event;
        if (!Number.isSafeInteger(seq) || seq <= this.#seq || seq > this.#seq + 1 + MOST_MISSING) {
          return { line, fault: `holds event ${seq}, which does not follow event ${this.#seq}` };
        }
        this.#seq = seq;
        this.#events += 1;
        if (event.data === null) this.#erased += 1;
        this.#sink.event(event);
        return { line, seq };
      }
      case "blob":
        this.#blobs += 1;
        this.#sink.blob(record.hash, record.bytes);
        return { line };
      case "end":
      case "foreign":
        return { line, fault: "does not belong there" };
    }
  }

  finish(): Result<ExportReport> {
    const head = this.#head;
    if (this.#marks.length === 0 && this.#end === null) {
      const hint = "If the store still holds the session, export it again; else take an older export.";
      return fail("import_invalid", "The file is empty.", hint);
    }
    if (this.#events === 0) {
      const what = head === null ? `The file is no ${EXPORT_FORMAT} export` : "The file holds no event";
      const hint = "Give a whole file that `rein export` has written.";
      return fail("import_invalid", `${what}: not one line of an event is whole.`, hint, { place: { line: 1 } });
    }
    const counts = { events: this.#events, blobs: this.#blobs };
    const findings = exportFindings({ head, end: this.#end, marks: this.#marks, ...counts });
    const newest = Math.max(head?.head.seq ?? 0, this.#seq);
    return ok({ head, ...counts, erased: this.#erased, lost: newest - this.#events, findings });
  }
}

function foreign(format: string, version: number): Result<never> {
  if (format !== EXPORT_FORMAT) {
    const message = `The file is of the format ${JSON.stringify(format)}, not ${EXPORT_FORMAT}.`;
    return fail("import_invalid", message, "Give a file that `rein export` has written.", { place: { line: 1 } });
  }
  const message = `The file has version ${version} of its format; this build knows ${EXPORT_VERSION}.`;
  return fail("version_unknown", message, "Update Rein: the file was written by a newer version.", {
    place: { line: 1 },
  });
}
