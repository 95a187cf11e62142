import { findPath } from "./find-path.ts";
import { extensionOf, folderOf, joinPath } from "./paths.ts";

const SCRIPT = /\b(?:from|import|require\s*\(|import\s*\()\s*["'](?<path>\.{1,2}\/[^"']+)["']/gu;
const PYTHON = /^\s*(?:from\s+(?<from>[\w.]+)\s+import\b|import\s+(?<plain>[\w.]+))/gmu;
const SCRIPT_ENDINGS = ["", ".js", ".ts", ".mjs", ".cjs", ".jsx", ".tsx", "/index.js", "/index.ts"];

/** The listed files that a source file imports: JavaScript, TypeScript and Python; none for other languages. */
export function importedPaths(path: string, text: string, paths: ReadonlySet<string>): readonly string[] {
  const found = new Set<string>();
  if (/^[cm]?[jt]sx?$/.test(extensionOf(path))) {
    for (const { groups } of text.matchAll(SCRIPT)) {
      const target = joinPath(folderOf(path), groups?.path ?? "");
      const known = target === undefined ? undefined : scriptFile(target, paths);
      if (known !== undefined) found.add(known);
    }
  } else if (extensionOf(path) === "py") {
    for (const { groups } of text.matchAll(PYTHON)) {
      const module = (groups?.from ?? groups?.plain ?? "").replace(/^\.+/, "").replaceAll(".", "/");
      if (module === "" || paths.size === 0) continue;
      const known = findPath(`${module}.py`, paths) ?? findPath(`${module}/__init__.py`, paths);
      if (known !== undefined) found.add(known);
    }
  }
  found.delete(path);
  return [...found];
}

/** TypeScript is imported under the name it will be compiled to. */
function scriptFile(target: string, paths: ReadonlySet<string>): string | undefined {
  if (paths.size === 0) return extensionOf(target) === "" ? undefined : target;
  const compiled = target.replace(/\.([cm]?)js$/, ".$1ts");
  return [...SCRIPT_ENDINGS.map((ending) => target + ending), compiled].find((candidate) => paths.has(candidate));
}
