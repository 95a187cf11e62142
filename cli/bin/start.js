// Apart from rein.js because an old Node can't even parse `import()`.
"use strict";

const { existsSync } = require("node:fs");
const { enableCompileCache } = require("node:module");
const { join } = require("node:path");

enableCompileCache();

if (existsSync(join(__dirname, "../dist/rein.js"))) void import("../dist/rein.js");
else {
  console.error("rein is not built in this checkout: run npm run build");
  process.exitCode = 2;
}
