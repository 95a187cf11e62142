/**
 * Permits: the only thing that makes hands move. One office per agent mints them for guard and checks them for hands.
 * A permit is bound to the digest of one effect of one call; it can be neither made nor copied outside its office.
 */
import { hash } from "node:crypto";
import { fail, ok, type Result } from "./errors.ts";
import { canonicalJson } from "./json.ts";
import type { CallEffect } from "./session/kernel-events.ts";

declare const permitBrand: unique symbol;

/** A permit for one effect of one call. Opaque; only {@link PermitOffice.mint} makes one. */
export interface Permit {
  readonly [permitBrand]: true;
  readonly call: string;
  /** SHA-256 of the effect. */
  readonly digest: string;
  /** The real path that guard judged, where the effect has one: the hands refuse when the path leads elsewhere by now. */
  readonly real?: string;
}

/** Mints and checks permits. */
export interface PermitOffice {
  /** For guard alone. `real`: see {@link Permit}. */
  mint(call: string, effect: CallEffect, real?: string): Permit;
  /** For hands: `permit_missing` when this office did not mint it, `permit_mismatch` when it is for another effect. */
  check(permit: Permit, effect: CallEffect): Result<void>;
}

/** SHA-256 (hex) of an effect's canonical JSON. */
export function effectDigest(effect: CallEffect): string {
  return hash("sha256", canonicalJson({ ...effect }), "hex");
}

/** Makes the office that one agent's guard and hands share. */
export function createPermitOffice(): PermitOffice {
  const minted = new WeakSet<object>();
  return {
    mint(call, effect, real) {
      const digest = effectDigest(effect);
      const permit: PermitData = Object.freeze(real === undefined ? { call, digest } : { call, digest, real });
      minted.add(permit);
      return brand(permit);
    },
    check(permit, effect) {
      if (typeof permit !== "object" || permit === null || !minted.has(permit)) {
        return fail(
          "permit_missing",
          "The hands were asked to act without a permit of this agent's guard.",
          "Go through the gate: call the tool, not the hands.",
        );
      }
      if (permit.digest !== effectDigest(effect)) {
        return fail(
          "permit_mismatch",
          "The permit was minted for another effect.",
          "Declare the effect in the tool's `effects`, exactly as it is carried out.",
        );
      }
      return ok(undefined);
    },
  };
}

type PermitData = Pick<Permit, "call" | "digest" | "real">;

function brand(permit: PermitData): Permit {
  // The brand exists in the type alone; this is the one place that may claim it.
  return permit as Permit;
}
