import { defineConfig } from "tsdown";

/** The library: a file for each door, and one for each room that is loaded when something first needs it. Each further file costs start-up time. */
export default defineConfig({
  entry: {
    index: "src/index.ts",
    "lab/index": "src/lab/index.ts",
    "core/testing/index": "src/core/testing/index.ts",
    "store/index": "src/store/index.ts",
    "store/conformance/index": "src/store/conformance/index.ts",
  },
  format: "esm",
  platform: "node",
  target: "node22.13",
  tsconfig: "../tsconfig.json",
  dts: { sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
  // Only what reads a JSON Schema: a third of the package, and half of the memory and time it takes to load.
  deps: { alwaysBundle: ["zod"] },
  // They are in the declarations and in the sources beside them; in the code each start would read them.
  outputOptions: { comments: { jsdoc: false } },
  clean: true,
  // How long declarations take is not news to whoever installs this.
  inputOptions: { checks: { pluginTimings: false } },
});
