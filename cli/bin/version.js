// `rein --version`, without loading the program.
"use strict";

process.stdout.on("error", (error) => {
  // A reader who has gone has seen enough.
  if (error.code === "EPIPE") return;
  console.error(`rein: The output can't be written (${error.message}). [store_io]`);
  process.exitCode = 1;
});
process.stdout.write(`${require("../package.json").version}\n`);
