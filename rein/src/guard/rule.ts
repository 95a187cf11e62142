import picomatch from "picomatch";
import { fail, ok, type Result } from "../core/errors.ts";

/**
 * A rule of a person, as data: what it is about and what it covers. Whether it allows or denies is said by the list in
 * which it stands; an allow reads its pattern narrowly, a deny widely (`path-pattern.ts`).
 */
export type Rule =
  /** `Bash(npm test)`: that command text, exactly. `Bash`: every command. */
  | { readonly kind: "command"; readonly text: string; readonly command: string | null }
  /**
   * `Read(src/**)`, `Write(report/**)`: paths that are read or written, by whichever tool. Without a pattern: as an
   * allow, all that `**` covers in the workspace; as a deny, every path there is.
   */
  | {
      readonly kind: "path";
      readonly text: string;
      readonly access: "read" | "write";
      readonly pattern: PathPattern | null;
    }
  /** `note_save` or `note_save(*)`: every call of that tool. */
  | { readonly kind: "tool"; readonly text: string; readonly tool: string };

/** Paths below an anchor. */
export interface PathPattern {
  /** The folder it starts from. */
  readonly anchor: "workspace" | "home" | "root";
  /** Leading part without wildcards, relative to the anchor; empty when there is none. */
  readonly base: string;
  /** What follows, with wildcards, relative to `base`; empty when the pattern has none. */
  readonly glob: string;
  /** Written without a folder, as `.env`: a deny then holds at any depth. */
  readonly floating: boolean;
}

const COMMAND_NAMES = new Set(["bash", "shell"]);
const ACCESS_OF_NAME: ReadonlyMap<string, "read" | "write"> = new Map([
  ["read", "read"],
  ["write", "write"],
  ["edit", "write"],
]);

/** Names that begin a rule which is not about one tool alone. */
export const RULE_NAMES = ["Bash", "Read", "Write", "Edit"] as const;

const SHAPE = /^([A-Za-z_][\w.-]*)(?:\((.*)\))?$/s;

/**
 * Reads a rule in Claude Code's syntax: `Bash(npm test)`, `Write(report/**)`, `Read(//etc/hosts)`, `Edit(~/notes/**)`,
 * `Bash`, or the name of any other tool. Names of our tools count in any case; `Edit` is `Write`, `shell` is `Bash`.
 * A bare `Read` or `Write` in an allow list means the whole workspace; in a deny list, everywhere.
 *
 * Errors: `invalid_option` with what is wrong and how to write it.
 */
export function parseRule(text: string): Result<Rule> {
  const shape = SHAPE.exec(text.trim());
  const name = shape?.[1];
  if (shape === null || name === undefined) {
    return refuse(
      text,
      "is not of the form Tool or Tool(argument)",
      "Write it like Bash(npm test) or Write(report/**).",
    );
  }
  const argument = shape[2];
  const lower = name.toLowerCase();
  if (COMMAND_NAMES.has(lower)) return commandRule(text, argument);
  const access = ACCESS_OF_NAME.get(lower);
  if (access !== undefined) return pathRule(text, access, argument);
  if (argument === undefined || argument === "*") return ok({ kind: "tool", text, tool: name });
  return refuse(
    text,
    `gives an argument for ${name}, and only rules for Bash, Read, Write and Edit take one`,
    `Write ${name} to mean every call of that tool.`,
  );
}

/** The name of the one tool that a rule is about; null when it is about commands or paths, or can't be read. */
export function toolOfRule(text: string): string | null {
  const name = SHAPE.exec(text.trim())?.[1];
  if (name === undefined) return null;
  const lower = name.toLowerCase();
  return COMMAND_NAMES.has(lower) || ACCESS_OF_NAME.has(lower) ? null : name;
}

function commandRule(text: string, command: string | undefined): Result<Rule> {
  if (command === undefined) return ok({ kind: "command", text, command: null });
  if (command.trim() === "") return refuse(text, "names no command", "Write the whole command: Bash(npm test).");
  if (command.includes("*")) {
    return refuse(
      text,
      "holds a wildcard, and a command is compared as a whole text",
      "Give one rule for each exact command, or write Bash to mean every command.",
    );
  }
  return ok({ kind: "command", text, command });
}

function pathRule(text: string, access: "read" | "write", argument: string | undefined): Result<Rule> {
  if (argument === undefined) return ok({ kind: "path", text, access, pattern: null });
  const anchored = anchorOf(argument);
  const fault = faultOfPath(anchored.path);
  if (fault !== null) return refuse(text, fault, "Write a path like src/**, //etc/hosts or ~/notes/*.md.");

  const path = anchored.path.endsWith("/") ? `${anchored.path}**` : anchored.path;
  const floating = anchored.anchor === "workspace" && !anchored.fixed && !path.includes("/");
  const { base, glob } = picomatch.scan(path);
  return ok({ kind: "path", text, access, pattern: { anchor: anchored.anchor, base, glob, floating } });
}

function anchorOf(argument: string): Pick<PathPattern, "anchor"> & { readonly path: string; readonly fixed: boolean } {
  if (argument.startsWith("//")) return { anchor: "root", path: argument.slice(2), fixed: true };
  if (argument.startsWith("~/")) return { anchor: "home", path: argument.slice(2), fixed: true };
  if (argument.startsWith("/")) return { anchor: "workspace", path: argument.slice(1), fixed: true };
  if (argument.startsWith("./")) return { anchor: "workspace", path: argument.slice(2), fixed: true };
  return { anchor: "workspace", path: argument, fixed: false };
}

function faultOfPath(path: string): string | null {
  if (path.trim() === "" || path.startsWith("~")) return "names no path";
  // A control character is never meant, and a backslash would be an escape to one reader and a separator to the next.
  if (/[\p{Cc}\\]/u.test(path)) return "holds a backslash or a control character";
  if (path.startsWith("!")) return "starts with !, and a rule can't be turned round";
  const segments = (path.endsWith("/") ? path.slice(0, -1) : path).split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === "..")) {
    return "holds an empty step, a . or a ..";
  }
  return null;
}

function refuse(text: string, what: string, hint: string): Result<Rule> {
  return fail("invalid_option", `The rule ${JSON.stringify(text)} ${what}.`, hint);
}
