import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";

const rooms = "store|model|guard|hands|tools|context|observe|config";

// A test may use real parts of other rooms (a brain's test a real store).
const tests = "\\.test\\.ts$";

// Where a room may be entered from outside. `core` is what all rooms share, so its single files and its folders have doors too.
const doors = ["^rein/src/[^/]+/index\\.ts$", "^rein/src/core/[^/]+\\.ts$", "^rein/src/core/[^/]+/index\\.ts$"];

// What `exports` in rein/package.json offers besides the root.
const packageDoors = ["^rein/src/(lab|store|core/testing)/index\\.ts$", "^rein/src/store/conformance/index\\.ts$"];

const above = {
  rooms: "^rein/src/[^/]+\\.ts$|^rein/src/(team|lab)/|^(service|cli)/",
  agent: "^rein/src/(team|lab)/|^(service|cli)/",
  team: "^rein/src/lab/|^(service|cli)/",
  lab: "^(service|cli)/",
};

/**
 * The import rule of docs/architecture.md: `core` knows nobody; the rooms know only `core`; `agent.ts` joins them;
 * then `team` < `lab` < `service` < `cli`. `check-imports.ts` runs it, after planting one violation of each rule.
 */
export const importRules: readonly IForbiddenRuleType[] = [
  {
    name: "core-knows-nobody",
    comment: "core imports nothing of the other rooms; what it needs comes through core/ports.ts.",
    severity: "error",
    from: { path: "^rein/src/core/", pathNot: tests },
    to: { path: "^(rein/src|service|cli)/", pathNot: "^rein/src/core/" },
  },
  {
    name: "rooms-know-only-core",
    comment: "A room imports only core and itself; what it needs of another room comes through core/ports.ts.",
    severity: "error",
    from: { path: `^rein/src/(${rooms})/`, pathNot: tests },
    to: { path: "^(rein/src|service|cli)/", pathNot: ["^rein/src/core/", "^rein/src/$1/"] },
  },
  {
    name: "agent-is-below-team",
    comment: "The composition root joins the rooms and knows nothing of what is built upon it.",
    severity: "error",
    from: { path: "^rein/src/agent[^/]*\\.ts$", pathNot: tests },
    to: { path: above.agent },
  },
  {
    name: "team-is-below-lab",
    comment: "team < lab < service < cli",
    severity: "error",
    from: { path: "^rein/src/team/", pathNot: tests },
    to: { path: above.team },
  },
  {
    name: "lab-is-below-service",
    comment: "team < lab < service < cli",
    severity: "error",
    from: { path: "^rein/src/", pathNot: tests },
    to: { path: above.lab },
  },
  {
    name: "service-is-below-cli",
    comment: "team < lab < service < cli",
    severity: "error",
    from: { path: "^service/", pathNot: tests },
    to: { path: "^cli/" },
  },
  {
    name: "rooms-have-one-door",
    comment: "A room is entered from outside only by its index.ts.",
    severity: "error",
    from: { path: "^rein/src/([^/]+)/", pathNot: tests },
    to: { path: "^rein/src/[^/]+/", pathNot: ["^rein/src/$1/", ...doors] },
  },
  {
    name: "rooms-have-one-door-at-the-root",
    comment: "A room is entered from outside only by its index.ts.",
    severity: "error",
    from: { path: "^rein/src/[^/]+\\.ts$|^(bench|scripts)/", pathNot: tests },
    to: { path: "^rein/src/[^/]+/", pathNot: doors },
  },
  {
    name: "users-import-the-package",
    comment: "Service, command line, examples and proofs use what any user can: the exports of the package rein.",
    severity: "error",
    from: { path: "^(service|cli|examples|proofs)/" },
    to: { path: "^rein/src/[^/]+/", pathNot: packageDoors },
  },
  {
    name: "nobody-imports-tests",
    comment: "Shared parts of tests live in core/testing, not in a test.",
    severity: "error",
    from: {},
    to: { path: tests },
  },
  {
    name: "no-cycles",
    comment: "An import cycle means that two ideas are one, or that a third is missing.",
    severity: "error",
    from: {},
    to: { circular: true },
  },
  {
    name: "everything-resolves",
    comment: "An import that leads nowhere escapes every other rule.",
    severity: "error",
    from: {},
    to: { couldNotResolve: true },
  },
];

/** How dependency-cruiser reads the workspace: types count as imports, and `rein` is its sources. */
export const cruiseOptions: ICruiseOptions = {
  validate: true,
  ruleSet: { forbidden: [...importRules] },
  doNotFollow: { path: "node_modules" },
  exclude: { path: "^examples/inventory/|/dist/" },
  tsConfig: { fileName: "tsconfig.json" },
  tsPreCompilationDeps: true,
};

/** How it resolves an import. */
export const resolveOptions = {
  exportsFields: ["exports"],
  conditionNames: ["rein-source", "import", "node", "types", "default"],
  extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
};
