import { isAbsolute, join, resolve } from "node:path";
import { ok, type Result, reinError } from "../core/errors.ts";
import { packedMap } from "../core/packed-map.ts";
import type { CallToJudge } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import type { Anchors } from "./path-pattern.ts";
import type { DenyRule, JudgedCall, Place } from "./policy.ts";
import { type ReadRules, readRules } from "./read-rules.ts";
import type { Rule } from "./rule.ts";

/**
 * Finds the real path of a path (`..` taken out first, then links followed; what does not exist yet counts by its
 * nearest existing folder). The hands have one; guard itself reads no files.
 */
export type ResolvePath = (path: string, folder: string) => Promise<Result<{ readonly real: string }>>;

/** What is needed to prepare a call for the policies. */
export interface PathSources {
  readonly resolvePath: ResolvePath;
  /** Absolute home folder, for `~/` in rules. */
  readonly home: string;
}

/** The newest anchors as named: nearly every call has those of the one before. */
let newest: Anchors & { readonly folder: string } = { folder: "/", workspace: "/", home: "/", root: "/" };

function anchorsOf(folder: string, home: string): Anchors {
  if (newest.folder !== folder || newest.home !== home)
    newest = { folder, workspace: resolve(folder), home, root: "/" };
  return newest;
}

/** Prepares a call for the policies; at once when no path has to be followed. */
export function prepareCall(call: CallToJudge, sources: PathSources): JudgedCall | Promise<JudgedCall> {
  const rules = readRules(call.rules);
  if (call.effects.some((effect) => pathOf(effect) !== null)) return followPaths(call, rules, sources);
  const places = packedMap(call.effects, (effect): Place => ({ effect }));
  const deny = packedMap(rules.deny, (rule): DenyRule => ({ rule, bases: [] }));
  return judgedCall(call, places, anchorsOf(call.folder, sources.home), rules, deny);
}

/** Member by member: what is spread has a shape that V8 forgets, and with it what it compiled for all that look at it. */
function judgedCall(
  call: CallToJudge,
  places: readonly Place[],
  anchors: Anchors,
  { allow, unreadable }: ReadRules,
  deny: readonly DenyRule[],
): JudgedCall {
  const judged: JudgedCall = {
    session: call.session,
    call: call.call,
    tool: call.tool,
    input: call.input,
    effects: call.effects,
    readOnly: call.readOnly,
    isPublic: call.isPublic ?? false,
    changes: call.changes ?? 0,
    folder: call.folder,
    rules: call.rules,
    ask: call.ask,
    places,
    anchors,
    allow,
    deny,
    unreadable,
  };
  return call.ownAsk === undefined ? judged : { ...judged, ownAsk: call.ownAsk };
}

async function followPaths(call: CallToJudge, rules: ReadRules, sources: PathSources): Promise<JudgedCall> {
  const named: Anchors = { workspace: resolve(call.folder), home: sources.home, root: "/" };
  const workspace = await sources.resolvePath(call.folder, call.folder);
  const usesHome = [...rules.allow, ...rules.deny].some(
    (rule) => rule.kind === "path" && rule.pattern?.anchor === "home",
  );
  const home = usesHome ? await sources.resolvePath(sources.home, sources.home) : ok({ real: sources.home });
  const anchors: Anchors = {
    workspace: workspace.ok ? workspace.value.real : named.workspace,
    home: home.ok ? home.value.real : sources.home,
    root: "/",
  };

  const places: Place[] = [];
  for (const effect of call.effects) {
    const path = pathOf(effect);
    if (path === null) places.push({ effect });
    else if (!workspace.ok) places.push({ effect, fault: workspace.error });
    else places.push(await follow(effect, path, call.folder, sources.resolvePath));
  }
  const deny: DenyRule[] = [];
  for (const rule of rules.deny) deny.push({ rule, bases: await basesOf(rule, named, anchors, sources.resolvePath) });
  return judgedCall(call, places, anchors, rules, deny);
}

async function follow(effect: CallEffect, path: string, folder: string, resolvePath: ResolvePath): Promise<Place> {
  if (!isAbsolute(path)) {
    const hint = "A tool must declare its effects with absolute paths.";
    return { effect, fault: reinError("path_unusable", `The path ${JSON.stringify(path)} is not absolute.`, hint) };
  }
  const given = resolve(path);
  const result = await resolvePath(path, folder);
  return result.ok ? { effect, given, real: result.value.real } : { effect, given, fault: result.error };
}

/** Where the literal part of a deny rule stands: as written, below the real anchor, and where its links lead. */
async function basesOf(
  rule: Rule,
  named: Anchors,
  real: Anchors,
  resolvePath: ResolvePath,
): Promise<readonly string[]> {
  if (rule.kind !== "path" || rule.pattern === null) return [];
  const { anchor, base, floating } = rule.pattern;
  const bases = new Set<string>();
  for (const folder of [named[anchor], real[anchor]]) {
    const written = floating ? folder : join(folder, base);
    bases.add(written);
    const followed = await resolvePath(written, folder);
    if (followed.ok) bases.add(followed.value.real);
  }
  return [...bases];
}

function pathOf(effect: CallEffect): string | null {
  switch (effect.kind) {
    case "read":
    case "read-tree":
    case "write":
      return effect.path;
    // A command acts where its folder leads.
    case "execute":
    case "execute-argv":
      return effect.cwd;
    case "connect":
    case "state":
      return null;
  }
}
