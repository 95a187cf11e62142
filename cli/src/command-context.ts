import { homedir } from "node:os";
import { unwrap } from "rein";
import type { Output } from "./output.ts";
import { storePath } from "./store-path.ts";

/** What a command has besides its arguments. */
export interface CommandContext {
  readonly output: Output;
  readonly input: NodeJS.ReadStream;
  /** A person can be asked: standard input and standard error are a terminal. */
  readonly isTerminal: boolean;
  /** Standard output is a terminal. */
  readonly showsText: boolean;
  /** Path of the store's file; throws where there is no place for one. */
  readonly storePath: () => string;
  /** A command line that the reader can type here, for this store; each argument is quoted where a shell needs it. */
  readonly typed: (command: string, ...args: readonly string[]) => string;
  /** Says how it went; without it the exit code is 0. */
  readonly exit: (code: number) => void;
}

/** The context of this process. `given` is the value of `--store` once the arguments are read. */
export function createContext(
  output: Output,
  given: () => string | undefined,
  exit: (code: number) => void,
): CommandContext {
  const { env, platform, stdin, stdout, stderr } = process;
  return {
    output,
    exit,
    input: stdin,
    isTerminal: stdin.isTTY === true && stderr.isTTY === true,
    showsText: stdout.isTTY === true,
    storePath: () => unwrap(storePath({ given: given(), env, platform, home: homedir })),
    typed: (command, ...args) => {
      // Under npx there need not be a `rein` on the path.
      const name = env.npm_command === "exec" ? "npx rein" : "rein";
      const store = given();
      const options = store === undefined ? [] : ["--store", store];
      return [name, ...options, command, ...args].map((part) => (part === name ? part : quoted(part))).join(" ");
    },
  };
}

/** An argument as one types it in a shell, all of it; on one line, with nothing in it that steers a terminal. */
export function quoted(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  if (STEERS.test(argument)) return `$'${argument.replace(/['\\]/g, "\\$&").replace(STEERS_ALL, escaped)}'`;
  return /["$`\\!]/.test(argument) ? `'${argument.replaceAll("'", `'\\''`)}'` : `"${argument}"`;
}

const STEERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
const STEERS_ALL = new RegExp(STEERS, "gu");

function escaped(character: string): string {
  if (character === "\n") return "\\n";
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
