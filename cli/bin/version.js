// `rein --version`, without loading the program.
"use strict";

process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") console.error(`rein: The output can't be written (${error.message}). [store_io]`);
  process.exitCode = 1;
});
process.stdout.write(`${require("../package.json").version}\n`);
