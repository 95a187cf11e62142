/**
 * Fails when code reads clocks, timers, randomness, the environment, files, processes or the network outside the places
 * that own them. Everybody else gets these through a port of core/ports.ts. Tests are exempt.
 */
import ts from "typescript";
import { codePaths, lineOf, readSource, type SourceFile } from "./source-files.ts";

type Power = "clock" | "timer" | "random" | "environment" | "files" | "processes" | "network";

interface Owner {
  /** A file, or a folder when it ends in `/`. */
  readonly place: string;
  readonly owns: readonly Power[];
  readonly why: string;
}

/** Who owns what. A new line here is a decision: say why. */
const OWNERS: readonly Owner[] = [
  {
    place: "rein/src/store/",
    owns: ["clock", "timer", "random", "files", "environment"],
    why: "the store's clock judges leases; retries when busy; salts; data folder",
  },
  {
    place: "rein/src/hands/",
    owns: ["timer", "random", "environment", "files", "processes"],
    why: "the one room that acts on the world; marks of process groups",
  },
  {
    place: "rein/src/core/testing/timeline.ts",
    owns: ["timer"],
    why: "lets all that is ready run before virtual time moves",
  },
  { place: "rein/src/core/testing/every-test.ts", owns: ["clock"], why: "bounds how long the check of a test takes" },
  { place: "rein/src/model/", owns: ["network"], why: "wires to providers" },
  { place: "rein/src/observe/", owns: ["files"], why: "log files" },
  { place: "rein/src/config/", owns: ["environment", "files"], why: "layers of configuration" },
  {
    place: "rein/src/lab/",
    owns: ["timer", "files", "network"],
    why: "model server with faults; records of evaluations",
  },
  {
    place: "rein/src/agent-clock.ts",
    owns: ["clock", "timer"],
    why: "the system clock the composition root hands out",
  },
  { place: "rein/src/agent-random.ts", owns: ["random"], why: "the randomness the composition root hands out" },
  {
    place: "rein/src/agent-environment.ts",
    owns: ["environment"],
    why: "what the composition root reads of the environment",
  },
  {
    place: "cli/",
    owns: ["clock", "timer", "random", "environment", "files", "processes", "network"],
    why: "the program at the edge",
  },
];

const MODULES: Readonly<Record<string, Power>> = {
  fs: "files",
  "fs/promises": "files",
  child_process: "processes",
  cluster: "processes",
  worker_threads: "processes",
  http: "network",
  http2: "network",
  https: "network",
  net: "network",
  tls: "network",
  dgram: "network",
  dns: "network",
  "dns/promises": "network",
  timers: "timer",
  "timers/promises": "timer",
  perf_hooks: "clock",
};

const GLOBALS: Readonly<Record<string, Power>> = {
  setTimeout: "timer",
  setInterval: "timer",
  setImmediate: "timer",
  fetch: "network",
  WebSocket: "network",
  EventSource: "network",
  performance: "clock",
};

const MEMBERS: Readonly<Record<string, Power>> = {
  "Date.now": "clock",
  "performance.now": "clock",
  "process.hrtime": "clock",
  "process.uptime": "clock",
  "process.env": "environment",
  "Math.random": "random",
  "crypto.randomUUID": "random",
  "crypto.randomBytes": "random",
  "crypto.getRandomValues": "random",
  "AbortSignal.timeout": "timer",
};

const CRYPTO_NAMES = new Set([
  "randomUUID",
  "randomBytes",
  "randomInt",
  "randomFill",
  "randomFillSync",
  "getRandomValues",
  "webcrypto",
]);

/** What one file uses without owning it, a sentence each. */
export function determinismFaults(source: SourceFile, owners: readonly Owner[] = OWNERS): readonly string[] {
  const owned = new Set(owners.filter((owner) => isIn(source.path, owner.place)).flatMap((owner) => owner.owns));
  const faults: string[] = [];

  const visit = (node: ts.Node): void => {
    const use = useOf(node);
    if (use !== undefined && !owned.has(use.power)) {
      const line = lineOf(source, node.getStart());
      faults.push(
        `${source.path}:${line}: ${use.what} (${use.power}) is not this place's: take it through a port of core/ports.ts.`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(source.tree);
  return faults;
}

function isIn(path: string, place: string): boolean {
  return place.endsWith("/") ? path.startsWith(place) : path === place;
}

function useOf(node: ts.Node): { readonly what: string; readonly power: Power } | undefined {
  if (ts.isImportDeclaration(node)) return useOfImport(node);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    const [name] = node.arguments;
    return name !== undefined && ts.isStringLiteral(name) ? useOfModule(name.text) : undefined;
  }
  if (ts.isPropertyAccessExpression(node)) return useOfMember(node);
  if (ts.isNewExpression(node) && node.expression.getText() === "Date" && (node.arguments ?? []).length === 0) {
    return { what: "new Date()", power: "clock" };
  }
  if (ts.isIdentifier(node) && isFreeName(node)) {
    const power = own(GLOBALS, node.text);
    return power === undefined ? undefined : { what: node.text, power };
  }
  return undefined;
}

function useOfImport(node: ts.ImportDeclaration): ReturnType<typeof useOf> {
  if (!ts.isStringLiteral(node.moduleSpecifier)) return undefined;
  const clause = node.importClause;
  const bindings = clause?.namedBindings;
  const names = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : undefined;
  if (clause?.phaseModifier === ts.SyntaxKind.TypeKeyword || names?.every((name) => name.isTypeOnly)) return undefined;

  const module = node.moduleSpecifier.text;
  if (module.replace(/^node:/, "") !== "crypto") return useOfModule(module);
  const random = names?.find((name) => CRYPTO_NAMES.has((name.propertyName ?? name.name).text));
  return random === undefined ? undefined : { what: `${random.getText()} of ${module}`, power: "random" };
}

function useOfModule(module: string): ReturnType<typeof useOf> {
  const power = own(MODULES, module.replace(/^node:/, ""));
  return power === undefined ? undefined : { what: module, power };
}

function useOfMember(node: ts.PropertyAccessExpression): ReturnType<typeof useOf> {
  const what = node.getText().replace(/^globalThis\./, "");
  const power = own(MEMBERS, what) ?? (node.expression.getText() === "globalThis" ? own(GLOBALS, what) : undefined);
  return power === undefined ? undefined : { what, power };
}

/** Whether an identifier is used as a value by its bare name, so is the global unless something of that name is declared. */
function isFreeName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return false;
  if (ts.isTypeNode(parent) || ts.isQualifiedName(parent)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if ("name" in parent && parent.name === node) return ts.isShorthandPropertyAssignment(parent);
  return !(ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isBindingElement(parent));
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

if (import.meta.main) {
  const paths = codePaths(["rein/src/**/*.ts", "cli/src/**/*.ts", "service/src/**/*.ts"]);
  const faults = paths.flatMap((path) => determinismFaults(readSource(path)));
  for (const fault of faults) console.error(fault);
  console.log(`determinism: ${paths.length} files, ${faults.length} faults`);
  if (faults.length > 0 || paths.length === 0) process.exitCode = 1;
}
