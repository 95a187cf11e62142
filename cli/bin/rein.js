#!/usr/bin/env node
// Starts on any Node, so: CommonJS and the language of 2009. Everything else is in ../dist/rein.js, which needs Node 22.13.
"use strict";

var version = process.versions.node.split(".");
var major = Number(version[0]);
var minor = Number(version[1]);

if (major < 22 || (major === 22 && minor < 13)) {
  console.error(
    "rein needs Node.js 22.13 or newer, and this is " +
      process.version +
      ": install Node.js 24 (https://nodejs.org), or in a checkout of Rein run it as: npx rein"
  );
  process.exitCode = 2;
} else if (process.argv.length === 3 && process.argv[2] === "--version") {
  require("./version.js");
} else {
  require("./start.js");
}
