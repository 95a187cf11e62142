/** What a result of the tool `shell` says. */
export interface ShellRun {
  /** Null when a signal ended it or it ran out of time. */
  readonly exitCode: number | null;
  readonly output: string;
  /** Output was left out. */
  readonly cut: boolean;
}

const EXIT = /^exit code (?<code>\d+)$/;
const CUT = /^\[(?:The result has \d+ bytes; \d+ of them are left out here|standard (?:output|error) had \d+ bytes;)/m;

/** Reads a result of the tool `shell`: the first line is how it ended, the rest what it wrote. */
export function readRun(text: string): ShellRun {
  const end = text.indexOf("\n");
  const first = end < 0 ? text : text.slice(0, end);
  const code = EXIT.exec(first)?.groups?.code;
  return {
    exitCode: code === undefined ? null : Number(code),
    output: end < 0 ? "" : text.slice(end + 1),
    cut: CUT.test(text),
  };
}
