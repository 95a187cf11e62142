import { counted } from "../../core/counted.ts";
import type { TreeEntry } from "../../core/ports.ts";
import { toolFailure } from "../result/tool-failure.ts";
import { tool } from "../tool.ts";
import { onOneLine, shownPath } from "./shown-path.ts";
import { walk, walkEffects } from "./walk.ts";

const DEFAULT_DEPTH = 2;
const MOST_SHOWN = 500;
/** Entries looked at to say how many there are; beyond it the count is a lower bound. */
const MOST_COUNTED = 20_000;
const NOTES = 1_024;

/** Lists a folder. */
export const list = tool({
  name: "list",
  description:
    "Lists what is in a folder and below it, with sizes in bytes; folders end with /. What .gitignore leaves out is not " +
    "listed, .git never, and node_modules is not entered.",
  access: "public",
  input: {
    type: "object",
    properties: {
      path: {
        type: "string",
        minLength: 1,
        description: "Folder, relative to the workspace folder or absolute; default the workspace.",
      },
      depth: { type: "integer", minimum: 1, maximum: 20, description: `Levels to go down; default ${DEFAULT_DEPTH}.` },
    },
    additionalProperties: false,
  },
  effects: ({ path = "." }, { folder }) => walkEffects(path, folder),
  readOnly: () => true,
  async run({ path = ".", depth = DEFAULT_DEPTH }, context) {
    const tree = await context.hands.openTree(path);
    if (!tree.ok) return toolFailure(tree.error);
    const { entries, ignored } = await walk(tree.value, path, context, (entry) => levelOf(entry) <= depth);

    const lines: string[] = [];
    let bytes = 0;
    let seen = 0;
    for await (const entry of entries) {
      seen += 1;
      const line = lineOf(entry);
      bytes += Buffer.byteLength(line) + 1;
      if (lines.length < MOST_SHOWN && bytes <= context.limit - NOTES) lines.push(line);
      if (seen >= MOST_COUNTED) break;
    }
    const left = seen - lines.length;
    const notes: string[] = [];
    if (left > 0) {
      const least = seen >= MOST_COUNTED ? "At least " : "";
      notes.push(
        `[${least}${counted(left, "more entry is", "more entries are")} left out; list a folder further down, or use a smaller depth.]`,
      );
    }
    if (ignored() > 0) notes.push(`[${counted(ignored(), "entry is", "entries are")} left out by .gitignore.]`);
    const name = shownPath(context.folder, path);
    return [
      `${name === "." ? "The workspace" : name}, up to ${counted(depth, "level")}:`,
      ...(lines.length === 0 ? ["(nothing)"] : lines),
      ...notes,
    ].join("\n");
  },
});

function levelOf({ path }: TreeEntry): number {
  return path.split("/").length;
}

function lineOf({ path: real, kind, size }: TreeEntry): string {
  const path = onOneLine(real);
  switch (kind) {
    case "folder":
      return `${path}/`;
    case "file":
      return `${path}  ${size}`;
    case "link":
      return `${path}  (link, not followed)`;
    case "other":
      return `${path}  (neither file nor folder)`;
  }
}
