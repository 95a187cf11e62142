import { globSync, readFileSync } from "node:fs";
import ts from "typescript";

/** A TypeScript file of the workspace, parsed. */
export interface SourceFile {
  /** Path from the root of the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly tree: ts.SourceFile;
}

const IGNORED = ["**/node_modules/**", "**/dist/**", "examples/inventory/**"];

/** The paths that match one of `patterns`, from the root of the workspace, sorted; tests and data are left out. */
export function codePaths(patterns: readonly string[]): readonly string[] {
  return globSync([...patterns], { exclude: IGNORED })
    .filter((path) => !isTestOrData(path))
    .sort();
}

/** Whether a path is a test or data, which the rules about size and determinism exempt. */
export function isTestOrData(path: string): boolean {
  return path.endsWith(".test.ts") || path.endsWith(".data.ts") || path.includes("/data/");
}

/** Parses one file as it stands on the disk. */
export function readSource(path: string): SourceFile {
  return parseSource(path, readFileSync(path, "utf8"));
}

/** Parses a text under the name of a path; types are not resolved. */
export function parseSource(path: string, text: string): SourceFile {
  return { path, text, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** The number of the line on which a position stands, from 1. */
export function lineOf(source: SourceFile, position: number): number {
  return source.tree.getLineAndCharacterOfPosition(position).line + 1;
}
