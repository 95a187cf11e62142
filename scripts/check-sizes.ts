/**
 * Fails when a function is longer than 80 lines or a file longer than 600 (the driver: 300), all lines counted.
 * Tests and data are exempt.
 */
import ts from "typescript";
import { codePaths, lineOf, readSource, type SourceFile } from "./source-files.ts";

const FUNCTION_LINES = 80;
const FILE_LINES = 600;
const FILE_LINES_OF: Readonly<Record<string, number>> = { "rein/src/core/brain/driver.ts": 300 };

/** What is too long in one file, a sentence each. */
export function sizeFaults(source: SourceFile): readonly string[] {
  const faults: string[] = [];
  const lines = source.text.trimEnd().split("\n").length;
  const most = FILE_LINES_OF[source.path] ?? FILE_LINES;
  if (lines > most) faults.push(`${source.path}: ${lines} lines, at most ${most}: split it by ideas.`);

  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body !== undefined) {
      const first = lineOf(source, node.getStart());
      const length = lineOf(source, node.end) - first + 1;
      if (length > FUNCTION_LINES) {
        faults.push(`${source.path}:${first}: function of ${length} lines, at most ${FUNCTION_LINES}.`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return faults;
}

if (import.meta.main) {
  const paths = codePaths([
    "rein/**/*.ts",
    "cli/**/*.ts",
    "service/**/*.ts",
    "examples/**/*.ts",
    "proofs/**/*.ts",
    "bench/**/*.ts",
    "scripts/**/*.ts",
  ]);
  const faults = paths.flatMap((path) => sizeFaults(readSource(path)));
  for (const fault of faults) console.error(fault);
  console.log(`sizes: ${paths.length} files, ${faults.length} faults`);
  if (faults.length > 0 || paths.length === 0) process.exitCode = 1;
}
