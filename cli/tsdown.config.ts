import { defineConfig } from "tsdown";

/** The command line: one file with everything in it, because each further file costs start-up time. */
export default defineConfig({
  entry: { rein: "src/main.ts" },
  format: "esm",
  platform: "node",
  target: "node22.13",
  inputOptions: { resolve: { conditionNames: ["rein-source", "import", "node", "default"] } },
  outputOptions: { codeSplitting: false },
  deps: { alwaysBundle: [/^(?!node:)/] },
  tsconfig: "../tsconfig.json",
  dts: false,
  sourcemap: true,
  fixedExtension: false,
  clean: true,
});
