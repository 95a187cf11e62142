import type { ResultContent } from "../../core/session/index.ts";
import type { Failure } from "./failure-text.ts";

/** Most base64 characters of one picture or document. Source: the smallest limit among the large providers, 5 MB an image. */
const MOST_MEDIA = 5 * 1024 * 1024;

const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What is wrong with the pictures and documents of a result. Providers refuse such a block, and with it each later request. */
export function mediaFault(content: ResultContent): Failure | undefined {
  for (const block of content) {
    if (block.type === "text" || block.source.kind !== "base64") continue;
    const { data } = block.source;
    const what = `${block.type === "image" ? "an image" : "a document"} (${block.mediaType})`;
    if (block.type === "image" && !block.mediaType.startsWith("image/")) return fault(`${what} that is no image`);
    if (data === "") return fault(`${what} of 0 bytes`);
    if (data.length > MOST_MEDIA) return fault(`${what} of ${data.length} base64 characters; at most ${MOST_MEDIA}`);
    if (data.length % 4 !== 0 || !BASE64.test(data)) return fault(`${what} that is not valid base64`);
  }
  return undefined;
}

function fault(what: string): Failure {
  return { type: "tool_failed", message: `It returned ${what}.`, hint: "Use another file, or a smaller one." };
}
