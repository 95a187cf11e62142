import type { Redact } from "../../core/ports.ts";
import type { CallOutcome, ResultContent } from "../../core/session/index.ts";
import { contentOf } from "./content-of.ts";
import { type Failure, failureText } from "./failure-text.ts";
import { limitText, type TextLimits } from "./limit-text.ts";
import { mediaFault } from "./media-fault.ts";
import { wellFormed, wellFormedNote } from "./well-formed.ts";

/** A result on its way into the log. */
export interface ProcessedResult {
  readonly outcome: CallOutcome;
  readonly content: ResultContent;
  readonly errorType?: string;
  readonly originalBytes?: number;
  readonly blob?: { readonly hash: string; readonly bytes: Uint8Array };
}

/** What a call came to, before it is processed. */
export interface RawResult {
  /** What the handler returned; `undefined` when it returned nothing. */
  readonly value: unknown;
  /** Why the call failed, when it is not the handler that says so. */
  readonly failure?: Failure;
  /** How it ended when it failed; default `error`. */
  readonly failedAs?: CallOutcome;
}

/** What processing needs to know of the call. */
export interface ResultScope {
  readonly tool: string;
  readonly session: string;
  readonly redact: Redact;
  readonly limits: TextLimits;
}

/**
 * Makes a result fit for the log and for every provider, in this order: content, secrets out, well-formed text, length.
 * Secrets go before the cut, so that no cut can part one and let half of it through.
 */
export function processResult(raw: RawResult, scope: ResultScope): ProcessedResult {
  const returned = contentOf(raw.value);
  const fault = mediaFault(returned.content);
  const failure = raw.failure ?? returned.failure ?? fault;
  const media = fault === undefined ? returned.content.filter((block) => block.type !== "text") : [];
  const blocks: ResultContent =
    fault === undefined ? returned.content : returned.content.filter((block) => block.type === "text");

  const told: ResultContent =
    failure === undefined ? blocks : [{ type: "text", text: failureText(scope.tool, failure) }, ...blocks];
  const cleaned = clean(told, scope.redact);
  const text = textsOf(cleaned).join("\n");
  const limited = limitText(text, scope.limits, scope.session);
  const content: ResultContent = limited === undefined ? cleaned : [{ type: "text", text: limited.text }, ...media];
  const shown: ResultContent =
    content.length === 0 ? [{ type: "text", text: `(${scope.tool} returned nothing)` }] : content;
  if (failure === undefined && limited === undefined) return { outcome: "ok", content: shown };
  return {
    outcome: failure === undefined ? "ok" : (raw.failedAs ?? "error"),
    content: shown,
    ...(failure === undefined ? {} : { errorType: failure.type }),
    ...(limited === undefined ? {} : { originalBytes: limited.originalBytes, blob: limited.blob }),
  };
}

/** Blocks with secrets and unfit characters replaced, without empty texts, and with one note on what was replaced. */
function clean(content: ResultContent, redact: Redact): ResultContent {
  let nuls = 0;
  let surrogates = 0;
  const cleaned: ResultContent[number][] = [];
  for (const block of content) {
    if (block.type !== "text") {
      cleaned.push(block);
      continue;
    }
    const formed = wellFormed(redact.active ? redact.text(block.text) : block.text);
    nuls += formed.nuls;
    surrogates += formed.surrogates;
    if (formed.text !== "") cleaned.push(formed.text === block.text ? block : { type: "text", text: formed.text });
  }
  const note = wellFormedNote({ nuls, surrogates });
  if (note !== "") cleaned.push({ type: "text", text: note });
  return cleaned;
}

function textsOf(content: ResultContent): readonly string[] {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : []));
}
