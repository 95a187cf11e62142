import { EXIT } from "./exit-code.ts";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Milliseconds within which one Ctrl-C may come twice: from the terminal and once more from npx, which passes it on. */
const SAME = 250;

/** Calls back at the first signal that asks this process to end; at the second it leaves at once. Returns the way to stop. */
export function onInterrupt(listener: () => void): () => void {
  let first: number | null = null;
  const handle = (): void => {
    const now = performance.now();
    if (first === null) {
      first = now;
      listener();
    } else if (now - first > SAME) process.exit(EXIT.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of SIGNALS) process.off(signal, handle);
  };
}
