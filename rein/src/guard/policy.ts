import type { ReinError } from "../core/errors.ts";
import type { JsonObject } from "../core/json.ts";
import type { CallToJudge } from "../core/ports.ts";
import type { CallEffect } from "../core/session/index.ts";
import type { Anchors } from "./path-pattern.ts";
import type { Rule } from "./rule.ts";

/** What one policy says of a call; a policy that has nothing to say returns undefined. */
export type PolicyAnswer =
  | { readonly answer: "deny" | "ask" | "allow"; readonly reason: string }
  /** Other arguments; they go through the whole array again. */
  | { readonly answer: "modify"; readonly reason: string; readonly input: JsonObject };

/** One policy: a small pure function in its own file. */
export interface Policy {
  readonly name: string;
  /** Whether its `allow` lets a call run (R9.1). The allow of any other policy counts for nothing. */
  readonly grants: boolean;
  readonly judge: (call: JudgedCall) => PolicyAnswer | undefined;
}

/** The floor: judges last what will really run, and can only deny. Nothing lifts it. */
export type Floor = (call: JudgedCall) => { readonly reason: string } | undefined;

/** An effect and where its path leads. */
export interface Place {
  readonly effect: CallEffect;
  /** Absolute path as named, `..` taken out, of a command its folder; absent when the effect has none. */
  readonly given?: string;
  /** Real path; absent when the effect has no path or it can't be followed. */
  readonly real?: string;
  /** Why the path can't be followed. */
  readonly fault?: ReinError;
}

/** A rule of the deny list, with the places its literal part stands for. */
export interface DenyRule {
  readonly rule: Rule;
  readonly bases: readonly string[];
}

/** A call as policies see it: paths followed, rules read. */
export interface JudgedCall extends CallToJudge {
  readonly places: readonly Place[];
  /** Real paths of workspace, home and root. */
  readonly anchors: Anchors;
  readonly allow: readonly Rule[];
  readonly deny: readonly DenyRule[];
  /** Deny rules that can't be read: nobody knows what they were to forbid. */
  readonly unreadable: readonly string[];
}
