import { hash } from "node:crypto";
import { canonicalJson, type JsonObject } from "../core/json.ts";

/** SHA-256 (hex) of the canonical JSON of tool, arguments and folder: what an approval is bound to. */
export function callDigest(tool: string, input: JsonObject, folder: string): string {
  const text = `{"folder":${JSON.stringify(folder)},"input":${canonicalJson(input)},"tool":${JSON.stringify(tool)}}`;
  return hash("sha256", text, "hex");
}
