import { hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../core/json.ts";

/** SHA-256 (hex) of the canonical JSON of tool, arguments and folder: what an approval is bound to. */
export function callDigest(tool: string, input: JsonObject, folder: string): string {
  return hash("sha256", canonicalJson({ tool, input, folder }), "hex");
}
