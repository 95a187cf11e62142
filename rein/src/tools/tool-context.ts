import type { Result } from "../core/errors.ts";
import type { FileContent, ProcessOptions, ProcessResult, ToolProgress, TreeReader } from "../core/ports.ts";

/** How a tool runs a process. */
export interface CommandOptions {
  /** Folder it runs in; default the workspace. Part of the declared effect. */
  readonly cwd?: string;
  /** Milliseconds; default the tool's own time-out. */
  readonly timeout?: number;
  readonly stdin?: string;
  /** Bytes kept of each stream; default 1 MiB. */
  readonly maxOutput?: number;
  /** Live output; default: progress parts. */
  readonly onOutput?: ProcessOptions["onOutput"];
}

/**
 * The hands as a running tool has them: each method already carries the permit for exactly that effect. What the tool did
 * not declare in its `effects` is `permit_missing`; after the end of the call everything is `aborted`. Paths are resolved
 * against the workspace folder, as in the declared effects.
 */
export interface ToolHands {
  /** Bytes of a file, at most `maxBytes` (default 10 MiB). Declared as `read`. */
  readFile(path: string, options?: { readonly maxBytes?: number }): Promise<Result<FileContent>>;
  /** Writes a file whole and atomically. Declared as `write`. */
  writeFile(path: string, content: string | Uint8Array): Promise<Result<void>>;
  /** A tree to walk and to read. Declared as `read-tree`. */
  openTree(path: string): Promise<Result<TreeReader>>;
  /** Runs a shell command. Declared as `execute` with the same command and folder. */
  execute(command: string, options?: CommandOptions): Promise<Result<ProcessResult>>;
  /** Runs a program without a shell. Declared as `execute-argv` with the same arguments and folder. */
  executeArgv(argv: readonly string[], options?: CommandOptions): Promise<Result<ProcessResult>>;
}

/** What a handler is given besides its arguments. */
export interface ToolContext {
  readonly session: string;
  /** Rein's name of the call. */
  readonly call: string;
  /** Absolute path of the workspace. */
  readonly folder: string;
  /** Aborts on interrupt and time-out; what the handler still returns shortly after is kept as partial output. */
  readonly signal: AbortSignal;
  readonly hands: ToolHands;
  /** Bytes of text the model is shown whole; a longer result is cut to head and tail. */
  readonly limit: number;
  /** Milliseconds since the handler began. */
  readonly elapsed: () => number;
  /** Tells the caller of `run` how far it is; best effort. */
  readonly progress: (part: ToolProgress) => void;
}
