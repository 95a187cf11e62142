import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

// Runs after every test: folds each session the test made once more and decides again.
const everyTest = "./rein/src/core/testing/every-test.ts";
const setupFiles = existsSync(new URL(everyTest, import.meta.url)) ? [everyTest] : [];

// `rein` resolves to its sources, so tests never need a build.
const conditions = ["rein-source"];

const project = (name: string, include: readonly string[], globalSetup: readonly string[] = []) => ({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name,
    include: [...include],
    exclude: ["**/node_modules/**", "**/dist/**", "examples/inventory/**"],
    setupFiles,
    globalSetup: [...globalSetup],
    environment: "node",
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
});

// Where a machine-readable report goes, if anybody wants one.
const report = process.env.REIN_TEST_REPORT;

export default defineConfig({
  test: {
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    pool: "forks",
    maxWorkers: 2,
    projects: [
      project("rein", ["rein/src/**/*.test.ts"]),
      project("cli", ["cli/src/**/*.test.ts"], ["./cli/src/testing/build-command.ts"]),
      project("examples", ["examples/**/*.test.ts"]),
      project("proofs", ["proofs/**/*.test.ts"]),
      project("bench", ["bench/**/*.test.ts"]),
      project("scripts", ["scripts/**/*.test.ts"]),
    ],
    coverage: {
      provider: "v8",
      include: ["rein/src/**/*.ts", "cli/src/**/*.ts"],
      exclude: ["**/*.test.ts"],
    },
  },
});
