import type { CallEffect } from "../core/session/index.ts";
import type { Place } from "./policy.ts";

/** An effect in words, for reasons and questions, with where its path leads; long texts are cut. */
export function describePlace({ effect, given, real }: Place): string {
  const elsewhere = real === undefined || real === given ? "" : ` (which leads to ${cut(real)})`;
  return `${describeEffect(effect)}${elsewhere}`;
}

function describeEffect(effect: CallEffect): string {
  switch (effect.kind) {
    case "read":
      return `read ${cut(effect.path)}`;
    case "read-tree":
      return `read everything below ${cut(effect.path)}`;
    case "write":
      return `write ${cut(effect.path)}`;
    case "execute":
      return `run \`${cut(effect.command)}\` in ${cut(effect.cwd)}`;
    case "execute-argv":
      return `run ${cut(JSON.stringify(effect.argv))} in ${cut(effect.cwd)}`;
    case "connect":
      return `connect to ${cut(effect.host)}:${effect.port}`;
    case "state":
      return `change ${cut(effect.what)}`;
  }
}

const MOST_CHARACTERS = 300;

function cut(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS).toWellFormed()}… (${text.length} characters)`;
}
