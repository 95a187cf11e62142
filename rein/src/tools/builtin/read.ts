import type { FileContent } from "../../core/ports.ts";
import { clip } from "../result/clip.ts";
import { type ToolFailure, toolFailure } from "../result/tool-failure.ts";
import { tool } from "../tool.ts";
import { decodeText } from "./decode-text.ts";
import { shownPath } from "./shown-path.ts";

/** Bytes read of a file. Source: `file size`, docs/architecture.md. */
const MOST_BYTES = 10 * 1024 * 1024;
const MOST_LINES = 100_000;
const LINE_LENGTH = 2_000;

/** Room for the notes, so that a full page still stays below the result's limit. */
const NOTES = 1_024;

const PICTURE = /\.(?:png|jpe?g|gif|webp|bmp|ico)$/i;

/** Reads a text file, with line numbers. */
export const read = tool({
  name: "read",
  description:
    "Reads a text file. Each line comes with its number and a tab, which are not part of the file. A long file comes in pages: the end of the " +
    "result says how to go on.",
  access: "public",
  input: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Path, relative to the workspace folder or absolute." },
      from: { type: "integer", minimum: 1, description: "First line, from 1; default 1." },
      to: { type: "integer", minimum: 1, description: "Last line, included; default the last of the file." },
    },
    required: ["path"],
    additionalProperties: false,
  },
  effects: ({ path }) => [{ kind: "read", path }],
  readOnly: () => true,
  async run({ path, from = 1, to }, { hands, folder, limit }) {
    if (to !== undefined && to < from) {
      const message = `Line ${to} comes before line ${from}.`;
      return toolFailure({ type: "tool_arguments_invalid", message, hint: "Give a `to` that is at least `from`." });
    }
    const file = await hands.readFile(path, { maxBytes: MOST_BYTES });
    if (!file.ok) return toolFailure(file.error);
    return page(file.value, {
      name: shownPath(folder, path),
      from,
      to: to ?? from + MOST_LINES - 1,
      limit: limit - NOTES,
    });
  },
});

interface PageOptions {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

function page(file: FileContent, { name, from, to, limit }: PageOptions): string | ToolFailure {
  const cut = file.size > file.bytes.length;
  if (file.bytes.length === 0) return PICTURE.test(name) ? emptyPicture(name) : `${name} is empty.`;
  const decoded = decodeText(file.bytes, cut);
  if ("binary" in decoded) return binaryFile(name, decoded.binary, file.size);

  const { lines, next, total } = linesOf(decoded.text, { from, to, limit });
  if (total === 0) return `${name} is empty.`;
  if (from > total) {
    const message = `${name} has ${total} lines${cut ? " in the part that can be read" : ""}; there is no line ${from}.`;
    return toolFailure({ type: "tool_arguments_invalid", message, hint: `Give a \`from\` of at most ${total}.` });
  }
  const notes: string[] = [];
  if (next !== undefined) notes.push(`[Lines ${from} to ${next - 1} of ${total}; go on with from: ${next}.]`);
  if (decoded.replaced) notes.push("[Some bytes are not valid UTF-8; they are shown as \ufffd.]");
  if (decoded.text.includes("\r\n")) notes.push("[Lines end with CR LF; the CR is not shown.]");
  if (cut) {
    notes.push(`[The file has ${file.size} bytes; only the first ${file.bytes.length} can be read with this tool.]`);
  }
  return [...lines, ...notes].join("\n");
}

/** Lines of a range with their numbers, up to a limit of bytes; `next` is the first of the range that did not fit. */
function linesOf(text: string, { from, to, limit }: Omit<PageOptions, "name">) {
  const lines: string[] = [];
  let next: number | undefined;
  let bytes = 0;
  let total = 0;
  // Not split into lines: a file may have millions, and a page has few of them.
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    total += 1;
    if (total >= from && total <= to && next === undefined) {
      const line = `${String(total).padStart(6)}\t${shortened(text.slice(start, end))}`;
      bytes += Buffer.byteLength(line) + 1;
      if (bytes <= limit || lines.length === 0) lines.push(line);
      else next = total;
    }
    start = end + 1;
  }
  return { lines, next, total };
}

function shortened(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.length <= LINE_LENGTH ? text : `${clip(text, LINE_LENGTH)} [the line has ${text.length} characters]`;
}

function emptyPicture(name: string): ToolFailure {
  return toolFailure({
    type: "tool_failed",
    message: `${name} is a picture of 0 bytes.`,
    hint: "Make the file again, or use another.",
  });
}

function binaryFile(name: string, kind: string, size: number): ToolFailure {
  return toolFailure({
    type: "tool_failed",
    message: `${name} holds ${kind} (${size} bytes), not text that can be shown.`,
    hint: "Use a program that understands the format, by `shell` (file, strings, iconv, unzip -l …).",
  });
}
