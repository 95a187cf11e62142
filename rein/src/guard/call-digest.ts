import { hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../core/json.ts";
import { packedMap } from "../core/packed-map.ts";
import type { Place } from "./policy.ts";

/**
 * SHA-256 (hex) of the canonical JSON of tool, arguments, folder, and each effect with the real path it leads to: what an
 * approval is bound to. A link that leads elsewhere by now makes another digest.
 */
export function callDigest(
  tool: string,
  input: JsonObject,
  folder: string,
  places: readonly Pick<Place, "effect" | "real">[],
): string {
  const effects = packedMap(places, ({ effect, real }) => (real === undefined ? { ...effect } : { ...effect, real }));
  return hash("sha256", canonicalJson({ effects, folder, input, tool }), "hex");
}
