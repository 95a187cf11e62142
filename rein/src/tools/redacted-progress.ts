import type { CallContext, Redact } from "../core/ports.ts";

/** Progress parts with secrets taken out. */
export interface RedactedProgress {
  readonly push: CallContext["progress"];
  /** Gives out what was held back; later parts are dropped, since the call is over. */
  readonly end: () => void;
}

/** Filters live output the way results are filtered: a tail that may be the start of a secret waits for what follows. */
export function redactedProgress(progress: CallContext["progress"], redact: Redact): RedactedProgress {
  const filters = redact.active ? { stdout: redact.stream(), stderr: redact.stream() } : undefined;
  let over = false;
  const output = (stream: "stdout" | "stderr", text: string): void => {
    if (text !== "") progress({ kind: "output", stream, text });
  };
  return {
    push(part) {
      if (over) return;
      if (filters === undefined) progress(part);
      else if (part.kind === "output") output(part.stream, filters[part.stream].push(part.text));
      else progress({ ...part, status: redact.text(part.status) });
    },
    end() {
      over = true;
      if (filters === undefined) return;
      output("stdout", filters.stdout.flush());
      output("stderr", filters.stderr.flush());
    },
  };
}
