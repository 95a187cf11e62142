/**
 * Checks the import rule of docs/architecture.md with dependency-cruiser. A checker that sees nothing passes everything, so this first
 * plants one forbidden import for each rule and goes on only when every one is found, and it fails when a source file was not looked at.
 */
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { cruise, type ICruiseResult } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { cruiseOptions, importRules, resolveOptions } from "./import-rules.ts";

/** One forbidden import: the rule, the file that is written, and what it imports. */
interface Planted {
  readonly rule: string;
  readonly file: string;
  readonly imports: string;
}

const NAME = "planted-violation";

/** A file with a harmless export, for a planted import to point at. */
const target = (folder: string): string => `${folder}/${NAME}-target.ts`;

const PLANTED: readonly Planted[] = [
  { rule: "core-knows-nobody", file: `rein/src/core/${NAME}.ts`, imports: target("rein/src/store") },
  { rule: "rooms-know-only-core", file: `rein/src/tools/${NAME}.ts`, imports: target("rein/src/hands") },
  { rule: "agent-is-below-team", file: `rein/src/agent-${NAME}.ts`, imports: target("rein/src/team") },
  { rule: "team-is-below-lab", file: `rein/src/team/${NAME}.ts`, imports: target("rein/src/lab") },
  { rule: "lab-is-below-service", file: `rein/src/lab/${NAME}.ts`, imports: target("cli/src") },
  { rule: "service-is-below-cli", file: `service/src/${NAME}.ts`, imports: target("cli/src") },
  { rule: "rooms-have-one-door", file: `rein/src/lab/${NAME}-door.ts`, imports: target("rein/src/store") },
  {
    rule: "rooms-have-one-door-at-the-root",
    file: `rein/src/agent-${NAME}-door.ts`,
    imports: target("rein/src/store"),
  },
  { rule: "users-import-the-package", file: `cli/src/${NAME}.ts`, imports: target("rein/src/store") },
  { rule: "nobody-imports-tests", file: `cli/src/${NAME}-test.ts`, imports: `cli/src/${NAME}-target.test.ts` },
  { rule: "no-cycles", file: `rein/src/core/${NAME}-cycle.ts`, imports: `rein/src/core/${NAME}-cycle-target.ts` },
  { rule: "everything-resolves", file: `rein/src/core/${NAME}-lost.ts`, imports: "rein/src/core/nowhere.ts" },
];

const SOURCES = ["rein/src", "cli/src", "service/src", "examples", "proofs", "bench", "scripts"];

async function look(): Promise<ICruiseResult> {
  const roots = SOURCES.filter((folder) => existsSync(folder));
  const { output } = await cruise(roots, cruiseOptions, resolveOptions, { tsConfig: extractTSConfig("tsconfig.json") });
  if (typeof output === "string") throw new Error("dependency-cruiser gave a text instead of a result");
  return output;
}

/** Writes a planted import, and what it points at unless it is to point nowhere. Gives the folders made for it, outermost. */
function plant({ rule, file, imports }: Planted): readonly string[] {
  const path = relative(dirname(file), imports);
  const line = `import "${path.startsWith(".") ? path : `./${path}`}";\nexport {};\n`;
  const made = [write(file, line)];
  if (rule === "no-cycles") made.push(write(imports, line.replace("-cycle-target", "-cycle")));
  else if (rule !== "everything-resolves") made.push(write(imports, "export {};\n"));
  return made.filter((folder) => folder !== undefined);
}

function write(file: string, text: string): string | undefined {
  const made = mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return made;
}

/** Removes what was planted, and the folders that were made for it, unless something else has come into them. */
function uproot(made: readonly string[]): void {
  for (const file of globSync(`{rein,cli,service}/src/**/*${NAME}*.ts`)) rmSync(file);
  for (const folder of made) {
    const inside = globSync(`${relative(".", folder)}/**`, { withFileTypes: true });
    if (inside.every((entry) => entry.isDirectory())) rmSync(folder, { recursive: true });
  }
}

/** The planted imports that the rule did not find. */
async function missed(): Promise<readonly Planted[]> {
  uproot([]);
  const made: string[] = [];
  try {
    for (const planted of PLANTED) made.push(...plant(planted));
    const { violations } = (await look()).summary;
    // A cycle is told of once, from either side.
    return PLANTED.filter(
      ({ rule, file, imports }) =>
        !violations.some(
          ({ rule: { name }, from }) => name === rule && (from === file || (from === imports && name === "no-cycles")),
        ),
    );
  } finally {
    uproot(made);
  }
}

const unfound = await missed();
for (const { rule, file, imports } of unfound)
  console.error(`imports: planted ${file} → ${imports}, and ${rule} did not see it`);

const { modules, summary } = await look();
const seen = new Set(modules.map((module) => module.source));
const unseen = globSync(
  SOURCES.map((folder) => `${folder}/**/*.ts`),
  { exclude: ["**/node_modules/**", "examples/inventory/**"] },
).filter((path) => !seen.has(path));
for (const path of unseen) console.error(`imports: ${path} was not looked at`);
for (const { rule, from, to } of summary.violations) {
  const reason = importRules.find((known) => known.name === rule.name)?.comment ?? "";
  console.error(`imports: ${rule.name}: ${from} → ${to}. ${reason}`);
}
console.log(
  `imports: ${PLANTED.length - unfound.length} of ${PLANTED.length} planted violations found; ${seen.size} modules, ${summary.violations.length} violations`,
);
if (unfound.length + unseen.length + summary.violations.length > 0 || seen.size === 0) process.exitCode = 1;
