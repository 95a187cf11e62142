import ignore, { type Ignore } from "ignore";
import type { TreeEntry, TreeReader } from "../../core/ports.ts";
import type { CallEffect } from "../../core/session/index.ts";
import type { ToolContext } from "../tool-context.ts";
import { decodeText } from "./decode-text.ts";
import { shownPath } from "./shown-path.ts";

/** A walk over a folder, without what `.gitignore` files leave out. `.git` is skipped, `node_modules` named but not entered. */
export interface Walk {
  readonly entries: AsyncIterable<TreeEntry>;
  /** Entries left out so far because of an ignore file. */
  readonly ignored: () => number;
}

/** Ignore rules of one folder. */
interface Layer {
  /** The folder they hold in, relative to where the walk counts from, with a `/` at its end; empty for that place itself. */
  readonly prefix: string;
  readonly rules: Ignore;
}

const IGNORE_FILE = ".gitignore";
const MOST_IGNORE_BYTES = 256 * 1024;

/** The effects of a walk: the tree, and the ignore files of the folders above it up to the workspace. */
export function walkEffects(path: string, folder: string): readonly CallEffect[] {
  return [
    { kind: "read-tree", path },
    ...filesAbove(path, folder).map((file): CallEffect => ({ kind: "read", path: file })),
  ];
}

/** Starts a walk. `enter` false: an entry is left out in silence (a bound on depth). */
export async function walk(
  tree: TreeReader,
  path: string,
  { folder, hands, signal }: Pick<ToolContext, "folder" | "hands" | "signal">,
  enter: (entry: TreeEntry) => boolean = () => true,
): Promise<Walk> {
  const root = rootOf(path, folder);
  const layers: Layer[] = [];
  for (const file of filesAbove(path, folder)) {
    const content = await hands.readFile(file, { maxBytes: MOST_IGNORE_BYTES });
    const prefix = file.slice(0, -IGNORE_FILE.length);
    if (content.ok) layers.push({ prefix, rules: rulesOf(content.value.bytes) });
  }
  // A folder that is named although it is ignored is wanted: what lies above does not count in it.
  if (root !== "" && isIgnored(layers, root)) layers.length = 0;

  let ignored = 0;
  const skip = (entry: TreeEntry): boolean => {
    const { parent, name } = split(entry.path);
    if (name === ".git" || parent.endsWith("node_modules/") || !enter(entry)) return true;
    const full = root + entry.path;
    while (layers.length > 0 && !full.startsWith(layers.at(-1)?.prefix ?? "")) layers.pop();
    if (!isIgnored(layers, entry.kind === "folder" ? `${full}/` : full)) return false;
    ignored += 1;
    return true;
  };
  const addLayer = async (below: string): Promise<void> => {
    const content = await tree.read(`${below}${IGNORE_FILE}`, MOST_IGNORE_BYTES);
    if (content.ok) layers.push({ prefix: root + below, rules: rulesOf(content.value.bytes) });
  };
  return { entries: entries(tree, { skip, signal }, addLayer), ignored: () => ignored };
}

async function* entries(
  tree: TreeReader,
  options: Parameters<TreeReader["entries"]>[0],
  addLayer: (below: string) => Promise<void>,
): AsyncGenerator<TreeEntry> {
  await addLayer("");
  for await (const entry of tree.entries(options)) {
    // Its rules must stand before the walk goes on into it.
    if (entry.kind === "folder") await addLayer(`${entry.path}/`);
    yield entry;
  }
}

/** The innermost rule that says something decides. */
function isIgnored(layers: readonly Layer[], path: string): boolean {
  for (const layer of layers.toReversed()) {
    if (!path.startsWith(layer.prefix)) continue;
    const { ignored, unignored } = layer.rules.test(path.slice(layer.prefix.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

function rulesOf(bytes: Uint8Array): Ignore {
  const decoded = decodeText(bytes, false);
  return ignore({ allowRelativePaths: true }).add("text" in decoded ? decoded.text : []);
}

/** Where the walk begins, relative to the workspace, with a `/` at its end; empty at the workspace and outside of it. */
function rootOf(path: string, folder: string): string {
  const shown = shownPath(folder, path);
  return shown === "." || shown.startsWith("/") ? "" : `${shown}/`;
}

function filesAbove(path: string, folder: string): readonly string[] {
  const steps = rootOf(path, folder).split("/").slice(0, -1);
  return steps.map((_, index) => [...steps.slice(0, index), IGNORE_FILE].join("/"));
}

function split(path: string): { readonly parent: string; readonly name: string } {
  const end = path.lastIndexOf("/") + 1;
  return { parent: path.slice(0, end), name: path.slice(end) };
}
