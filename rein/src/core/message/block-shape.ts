/** The shapes of the known blocks, closed: a member that this version does not know is a fault, never dropped. Core carries no validator library. */
import { isJsonObject, type JsonValue, own } from "../json.ts";
import type { Block, DocumentBlock, ImageBlock, TextBlock, UnknownBlock } from "./message.ts";

/** A block of a type this version knows. */
export type KnownBlock = Exclude<Block, UnknownBlock>;

/** What is wrong, and where: `content[2].source.size`. */
export interface ShapeFault {
  readonly path: string;
  readonly fault: string;
}

type Check = (value: JsonValue | undefined, path: string) => ShapeFault | null;

const text: Check = (value, path) => (typeof value === "string" ? null : { path, fault: "is no text" });
const number: Check = (value, path) => (typeof value === "number" ? null : { path, fault: "is no number" });
const flag: Check = (value, path) => (typeof value === "boolean" ? null : { path, fault: "is neither true nor false" });
const json: Check = (value, path) => (isJsonObject(value) ? null : { path, fault: "is no object" });

function optional(check: Check): Check {
  return (value, path) => (value === undefined ? null : check(value, path));
}

function list(check: Check): Check {
  return (value, path) => {
    if (!Array.isArray(value)) return { path, fault: "is no list" };
    for (const [index, item] of value.entries()) {
      const fault = check(item, `${path}[${index}]`);
      if (fault !== null) return fault;
    }
    return null;
  };
}

function object(members: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isJsonObject(value)) return { path, fault: "is no object" };
    for (const [name, check] of Object.entries(members)) {
      const fault = check(own(value, name), `${path}.${name}`);
      if (fault !== null) return fault;
    }
    const stranger = Object.keys(value).find((name) => !Object.hasOwn(members, name));
    return stranger === undefined ? null : { path: `${path}.${stranger}`, fault: "is not known to this version" };
  };
}

/** An object that one member tells apart. */
function union(tag: string, shapes: Readonly<Record<string, Check>>): Check {
  return (value, path) => {
    if (!isJsonObject(value)) return { path, fault: "is no object" };
    const name = own(value, tag);
    const shape = typeof name === "string" ? own(shapes, name) : undefined;
    return shape === undefined ? { path: `${path}.${tag}`, fault: "is not one of those known" } : shape(value, path);
  };
}

const source = union("kind", {
  base64: object({ kind: text, data: text }),
  blob: object({ kind: text, hash: text, size: number }),
  url: object({ kind: text, url: text }),
});

const INPUT_SHAPES: Readonly<Record<"text" | "image" | "document", Check>> = {
  text: object({ type: text, text }),
  image: object({ type: text, mediaType: text, source }),
  document: object({ type: text, mediaType: text, source, name: optional(text) }),
};

const SHAPES: Readonly<Record<KnownBlock["type"], Check>> = {
  ...INPUT_SHAPES,
  thinking: object({
    type: text,
    text,
    signature: optional(text),
    vendor: optional(text),
    redacted: optional(flag),
  }),
  tool_use: object({ type: text, id: text, name: text, input: json, malformed: optional(text) }),
  tool_result: object({
    type: text,
    id: text,
    content: list(union("type", INPUT_SHAPES)),
    isError: flag,
    errorType: optional(text),
  }),
};

/** What is wrong with a value as a block of a known type; null when nothing is. */
export function blockFault(value: JsonValue, path: string): ShapeFault | null {
  return union("type", SHAPES)(value, path);
}

/** What is wrong with a value as a block that a person may send: text, image or document; null when nothing is. */
export function inputBlockFault(value: JsonValue, path: string): ShapeFault | null {
  return union("type", INPUT_SHAPES)(value, path);
}

/** Whether a value is a block that a person may send. */
export function isInputBlock(value: unknown): value is TextBlock | ImageBlock | DocumentBlock {
  return isJsonObject(value) && inputBlockFault(value, "") === null;
}

/** Whether a value is a block of a known type. */
export function isKnownBlock(value: unknown): value is KnownBlock {
  return isJsonObject(value) && blockFault(value, "") === null;
}

/** Whether a value is an object with a type of its own that this version does not know. */
export function hasUnknownType(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  const type = own(value, "type");
  if (typeof type !== "string") return false;
  if (!Object.hasOwn(SHAPES, type)) return true;
  // A result that holds an unknown block is kept whole, as it came.
  const content = own(value, "content");
  return type === "tool_result" && Array.isArray(content) && content.some(hasUnknownType);
}
