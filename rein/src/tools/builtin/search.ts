import picomatch from "picomatch";
import { counted } from "../../core/counted.ts";
import { ok, type Result } from "../../core/errors.ts";
import type { FileContent } from "../../core/ports.ts";
import { toolFailure } from "../result/tool-failure.ts";
import { tool } from "../tool.ts";
import type { ToolContext } from "../tool-context.ts";
import { decodeText } from "./decode-text.ts";
import { type CompiledSearch, compileSearch, type Match } from "./line-search.ts";
import { onOneLine, shownPath } from "./shown-path.ts";
import { walk, walkEffects } from "./walk.ts";

const MOST_SHOWN = 200;
const MOST_COUNTED = 10_000;
const MOST_BYTES_OF_A_FILE = 4 * 1024 * 1024;
const MOST_TIME = 60_000;
/** Files on which a pattern may run out of its time before the search is given up. */
const MOST_SLOW = 3;
const NOTES = 2_048;

/** Searches the contents of files. */
export const search = tool({
  name: "search",
  description:
    "Searches the lines of text files for a JavaScript regular expression and gives `path:line: text` for each line that matches. Leaves out what " +
    ".gitignore leaves out, .git, node_modules and binary files.",
  access: "public",
  input: {
    type: "object",
    properties: {
      pattern: {
        type: "string",
        minLength: 1,
        description: "Regular expression; begin it with (?i) to ignore case.",
      },
      path: {
        type: "string",
        minLength: 1,
        description: "Folder or file, relative to the workspace folder or absolute; default the workspace.",
      },
      glob: {
        type: "string",
        minLength: 1,
        description: "Only files that match, such as *.ts or src/**/*.test.ts (relative to path).",
      },
    },
    required: ["pattern"],
    additionalProperties: false,
  },
  // A path may be a file or a folder; which of them is known only when it is opened.
  effects: ({ path = "." }, { folder }) => [...walkEffects(path, folder), { kind: "read", path }],
  readOnly: () => true,
  timeout: MOST_TIME * 2,
  async run({ pattern, path = ".", glob }, context) {
    const tally = new Tally(compileSearch(pattern), context);
    const tree = await context.hands.openTree(path);
    if (tree.ok) {
      const { entries } = await walk(tree.value, path, context);
      const wanted = glob === undefined ? () => true : picomatch(glob, { dot: true, basename: !glob.includes("/") });
      const base = shownPath(context.folder, path);
      for await (const entry of entries) {
        if (entry.kind !== "file" || !wanted(entry.path)) continue;
        const name = base === "." ? entry.path : `${base.replace(/\/$/, "")}/${entry.path}`;
        tally.add(
          name,
          entry.size === 0
            ? ok({ bytes: new Uint8Array(), size: 0 })
            : await tree.value.read(entry.path, MOST_BYTES_OF_A_FILE),
        );
        if (tally.isFull()) break;
      }
    } else {
      const file = await context.hands.readFile(path, { maxBytes: MOST_BYTES_OF_A_FILE });
      if (!file.ok) return toolFailure(file.error);
      tally.add(shownPath(context.folder, path), file);
    }
    return tally.text();
  },
});

/** What a search has found so far, and what it had to leave out. */
class Tally {
  readonly #search: CompiledSearch;
  readonly #context: ToolContext;
  readonly #lines: string[] = [];
  #bytes = 0;
  #matches = 0;
  #filesWithMatches = 0;
  #files = 0;
  readonly #unread: string[] = [];
  readonly #slow: string[] = [];
  #cut = 0;
  #stopped = false;

  constructor(search: CompiledSearch, context: ToolContext) {
    this.#search = search;
    this.#context = context;
  }

  add(path: string, file: Result<FileContent>): void {
    const name = onOneLine(path);
    if (!file.ok) {
      this.#unread.push(`${name} (${file.error.message})`);
      return;
    }
    const { bytes, size } = file.value;
    const decoded = decodeText(bytes, size > bytes.length);
    if ("binary" in decoded) return;
    this.#files += 1;
    if (size > bytes.length) this.#cut += 1;
    const matches = this.#search.search(decoded.text);
    if (matches === null) this.#slow.push(name);
    else if (matches.length > 0) this.#keep(name, matches);
  }

  /** Whether it is no use to go on: enough was counted, or the time is over. */
  isFull(): boolean {
    this.#stopped =
      this.#slow.length >= MOST_SLOW ||
      this.#matches >= MOST_COUNTED ||
      this.#context.elapsed() > MOST_TIME ||
      this.#context.signal.aborted;
    return this.#stopped;
  }

  text(): string {
    const notes: string[] = [];
    const left = this.#matches - this.#lines.length;
    if (this.#search.literal) notes.push("[The pattern is no regular expression; it was searched for as plain text.]");
    if (left > 0)
      notes.push(`[${counted(left, "more match is", "more matches are")} left out; narrow the pattern, path or glob.]`);
    if (this.#stopped) notes.push("[Stopped before all files were searched; there may be more.]");
    if (this.#cut > 0)
      notes.push(`[Of ${this.#cut} large files only the first ${MOST_BYTES_OF_A_FILE} bytes were searched.]`);
    if (this.#slow.length > 0) {
      notes.push(`[The pattern took too long on ${sample(this.#slow)}; use a simpler one, without nested repeats.]`);
    }
    if (this.#unread.length > 0) notes.push(`[Could not be read: ${sample(this.#unread)}.]`);
    const found =
      this.#matches === 0
        ? "No match"
        : `${counted(this.#matches, "matching line")} in ${counted(this.#filesWithMatches, "file")}`;
    return [`${found} (${counted(this.#files, "file")} searched).`, ...this.#lines, ...notes].join("\n");
  }

  #keep(name: string, matches: readonly Match[]): void {
    this.#matches += matches.length;
    this.#filesWithMatches += 1;
    for (const { line, text } of matches) {
      const shown = `${name}:${line}: ${text}`;
      if (this.#lines.length >= MOST_SHOWN || this.#bytes > this.#context.limit - NOTES) return;
      this.#bytes += Buffer.byteLength(shown) + 1;
      this.#lines.push(shown);
    }
  }
}

function sample(names: readonly string[]): string {
  return names.length <= 3 ? names.join(", ") : `${names.slice(0, 3).join(", ")} and ${names.length - 3} more`;
}
