import { isAbsolute, relative } from "node:path";
import type { CallEffect } from "rein";

/** A call in a few words: the tool, and what it does to what. */
export function callText(name: string, effects: readonly CallEffect[], folder: string): string {
  const objects = new Set(effects.map((effect) => objectOf(effect, folder)));
  return [name, ...objects].join(" ");
}

function objectOf(effect: CallEffect, folder: string): string {
  switch (effect.kind) {
    case "read":
    case "read-tree":
    case "write":
      return shownPath(effect.path, folder);
    case "execute":
      return effect.command;
    case "execute-argv":
      return effect.argv.join(" ");
    case "connect":
      return `${effect.host}:${effect.port}`;
    case "state":
      return effect.what;
  }
}

function shownPath(path: string, folder: string): string {
  if (!isAbsolute(path)) return path;
  const short = relative(folder, path);
  if (short === "") return ".";
  return short.startsWith("..") ? path : short;
}
