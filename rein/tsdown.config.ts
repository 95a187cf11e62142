import { defineConfig } from "tsdown";

/** The library: one module for each source file, so that a room is loaded only when something first needs it. */
export default defineConfig({
  entry: ["src/index.ts", "src/lab/index.ts", "src/store/index.ts", "src/store/conformance/index.ts"],
  format: "esm",
  platform: "node",
  target: "node22.13",
  unbundle: true,
  tsconfig: "../tsconfig.json",
  dts: { sourcemap: true },
  sourcemap: true,
  fixedExtension: false,
  clean: true,
});
