/**
 * Messages as JSON text and back. Version 1 is `{"v":1,"role","content":[block…],"id"?,"parentId"?,"at"?,"metadata"?}`, a block as
 * in `message.ts`. Version 0 is `{"role","content"}` without `v`, the content text or blocks. A block whose type this version does
 * not know is kept as the text it was, byte for byte, since parse-and-print changes numbers and key order.
 */
import { fail, ok, type Result } from "../errors.ts";
import { isJsonObject, type JsonObject, type JsonValue, own, parseJson } from "../json.ts";
import { blockFault, hasUnknownType, isKnownBlock, type ShapeFault } from "./block-shape.ts";
import { elementTexts } from "./json-slices.ts";
import type { Block, Message, Role } from "./message.ts";

/** Version that is written, and the newest that is read. */
export const MESSAGE_VERSION = 1;

const ROLES: Readonly<Record<Role, true>> = { system: true, developer: true, user: true, assistant: true, tool: true };

/** Members of each version. */
const MEMBERS: readonly (readonly string[])[] = [
  ["v", "role", "content"],
  ["v", "role", "content", "id", "parentId", "at", "metadata"],
];

/** The text of a message. `event_invalid` when the raw text of an unknown block is no JSON object or not well-formed. */
export function encodeMessage(message: Message): Result<string> {
  const blocks: string[] = [];
  for (const [index, block] of message.content.entries()) {
    const text = block.type === "unknown" ? block.raw : JSON.stringify(block);
    if (block.type === "unknown" && !isObjectText(text))
      return invalid({ path: `content[${index}].raw`, fault: "is no JSON object" });
    blocks.push(text);
  }
  const { role, id, parentId, at, metadata } = message;
  const head = JSON.stringify({ v: MESSAGE_VERSION, role });
  const tail = JSON.stringify({ id, parentId, at, metadata });
  const more = tail === "{}" ? "}" : `,${tail.slice(1)}`;
  return ok(`${head.slice(0, -1)},"content":[${blocks.join(",")}]${more}`);
}

function isObjectText(text: string): boolean {
  const parsed = parseJson(text, "An unknown block");
  return parsed.ok && isJsonObject(parsed.value) && text.isWellFormed();
}

/**
 * The message of a text, of any version up to {@link MESSAGE_VERSION}. A newer one: `version_unknown`. Anything else that does not
 * fit: `event_invalid`, with the `path` of the member, or the `offset` where the text is no JSON, as `place`.
 */
export function decodeMessage(text: string): Result<Message> {
  const parsed = parseJson(text, "The message");
  if (!parsed.ok)
    return { ok: false, error: { ...parsed.error, place: { offset: offsetOf(parsed.error.cause, text) } } };
  const body = parsed.value;
  if (!isJsonObject(body)) return invalid({ path: "", fault: "is no object" });
  const version = own(body, "v") ?? 0;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    return invalid({ path: "v", fault: "is no version" });
  }
  if (version > MESSAGE_VERSION) {
    const message = `The message has version ${version}; this build knows ${MESSAGE_VERSION}.`;
    return fail("version_unknown", message, "Update Rein: the message was written by a newer version.", {
      place: { path: "v" },
    });
  }
  return decodeKnown(body, version, text);
}

function decodeKnown(body: JsonObject, version: number, text: string): Result<Message> {
  const members = MEMBERS[version] ?? [];
  const stranger = Object.keys(body).find((name) => !members.includes(name));
  if (stranger !== undefined) return invalid({ path: stranger, fault: `is not part of version ${version}` });
  const role = own(body, "role");
  if (!isRole(role)) return invalid({ path: "role", fault: "is none of those known" });
  const content = contentOf(own(body, "content"), version, text);
  if (!content.ok) return content;
  const id = own(body, "id");
  const parentId = own(body, "parentId");
  const at = own(body, "at");
  const metadata = own(body, "metadata");
  if (id !== undefined && typeof id !== "string") return invalid({ path: "id", fault: "is no text" });
  if (parentId !== undefined && typeof parentId !== "string") return invalid({ path: "parentId", fault: "is no text" });
  if (at !== undefined && typeof at !== "number") return invalid({ path: "at", fault: "is no number" });
  if (metadata !== undefined && !isJsonObject(metadata)) return invalid({ path: "metadata", fault: "is no object" });
  return ok({
    role,
    content: content.value,
    ...(id !== undefined && { id }),
    ...(parentId !== undefined && { parentId }),
    ...(at !== undefined && { at }),
    ...(metadata !== undefined && { metadata }),
  });
}

function contentOf(content: JsonValue | undefined, version: number, text: string): Result<readonly Block[]> {
  if (version === 0 && typeof content === "string") return ok([{ type: "text", text: content }]);
  if (!Array.isArray(content)) return invalid({ path: "content", fault: "is no list" });
  const raw = content.some(hasUnknownType) ? elementTexts(text, "content") : [];
  const blocks: Block[] = [];
  for (const [index, value] of content.entries()) {
    if (isKnownBlock(value)) blocks.push(value);
    else if (hasUnknownType(value)) blocks.push({ type: "unknown", raw: raw[index] ?? "" });
    else return invalid(blockFault(value, `content[${index}]`) ?? { path: `content[${index}]`, fault: "is no block" });
  }
  return ok(blocks);
}

function isRole(value: unknown): value is Role {
  return typeof value === "string" && Object.hasOwn(ROLES, value);
}

/** Where the parser stopped; it says so in its message, except at the end of the text. */
function offsetOf(cause: unknown, text: string): number {
  const position = cause instanceof Error ? /position (\d+)/.exec(cause.message)?.[1] : undefined;
  return position === undefined ? text.length : Number(position);
}

function invalid({ path, fault }: ShapeFault): Result<never> {
  const what = path === "" ? "The message" : `The message's ${path}`;
  return fail("event_invalid", `${what} ${fault}.`, "Check what wrote it, or where it was edited by hand.", {
    place: { path },
  });
}
