/** Reads what `strace -f -y` wrote: the calls that write to files or sync them, in the order in which they were over. */

/** A system call that is over. */
export interface SystemCall {
  readonly name: string;
  /** The file it was about, by its path. */
  readonly path: string;
  /** The text that was written, as far as the trace shows it. */
  readonly text: string;
  readonly ok: boolean;
}

const WHOLE = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*)\)\s+=\s+(-?\d+)/;
const UNFINISHED = /^(\d+)\s+(\w+)\((\d+)<([^>]*)>(.*) <unfinished \.\.\.>$/;
const RESUMED = /^(\d+)\s+<\.\.\. (\w+) resumed>(.*)\)\s+=\s+(-?\d+)/;

/** The calls of a trace. A call that was interrupted by another thread's line counts where it ended. */
export function readTrace(trace: string): readonly SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { readonly path: string; readonly text: string }>();
  for (const line of trace.split("\n")) {
    const begun = UNFINISHED.exec(line);
    if (begun !== null) {
      const [, thread = "", , , path = "", rest = ""] = begun;
      open.set(thread, { path, text: textOf(rest) });
      continue;
    }
    const resumed = RESUMED.exec(line);
    if (resumed !== null) {
      const [, thread = "", name = "", , result = ""] = resumed;
      const before = open.get(thread);
      if (before !== undefined) calls.push({ name, ...before, ok: Number(result) >= 0 });
      continue;
    }
    const whole = WHOLE.exec(line);
    if (whole === null) continue;
    const [, , name = "", , path = "", rest = "", result = ""] = whole;
    calls.push({ name, path, text: textOf(rest), ok: Number(result) >= 0 });
  }
  return calls;
}

/** The quoted text of the arguments; `strace` writes a tab as \t and a newline as \n. */
function textOf(rest: string): string {
  const quoted = /"((?:[^"\\]|\\.)*)"/.exec(rest)?.[1] ?? "";
  return quoted.replaceAll("\\t", "\t").replaceAll("\\n", "\n");
}
