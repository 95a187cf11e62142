import { fail, ok, type Result } from "../../errors.ts";
import { isJsonObject, own, parseJson } from "../../json.ts";
import type { ToolSchema } from "../../ports.ts";
import type { KernelState } from "../../session/state.ts";

/** Where the bytes of a blob come from. */
export type LoadBlob = (hash: string) => Promise<Result<Uint8Array | null>>;

/** What a prompt starts with, as it was captured into the log. */
interface Head {
  readonly system: string;
  readonly tools: readonly ToolSchema[];
}

/** The head of a session's prompt, read once for each capture. */
export class PromptHead {
  readonly #blob: LoadBlob;
  #head: Head | null = null;
  #key = "";

  constructor(blob: LoadBlob) {
    this.#blob = blob;
  }

  async load({ captured: { system, tools } }: KernelState): Promise<Result<Head>> {
    const key = `${system} ${tools}`;
    if (this.#head !== null && this.#key === key) return ok(this.#head);
    const systemText = await this.#text(system);
    if (!systemText.ok) return systemText;
    const toolsText = await this.#text(tools);
    if (!toolsText.ok) return toolsText;
    const schemas = toolSchemas(toolsText.value);
    if (!schemas.ok) return schemas;
    this.#head = { system: systemText.value, tools: schemas.value };
    this.#key = key;
    return ok(this.#head);
  }

  async #text(hash: string | null): Promise<Result<string>> {
    const bytes = hash === null ? ok(null) : await this.#blob(hash);
    if (!bytes.ok) return bytes;
    return bytes.value === null ? missing("is missing") : ok(Buffer.from(bytes.value).toString("utf8"));
  }
}

function toolSchemas(text: string): Result<readonly ToolSchema[]> {
  const parsed = parseJson(text, "The captured tool list");
  if (!parsed.ok) return parsed;
  const schemas: ToolSchema[] = [];
  for (const entry of Array.isArray(parsed.value) ? parsed.value : [null]) {
    const body = isJsonObject(entry) ? entry : {};
    const name = own(body, "name");
    const description = own(body, "description");
    const input = own(body, "input");
    if (typeof name !== "string" || typeof description !== "string" || !isJsonObject(input)) {
      return missing("holds something that is no tool");
    }
    schemas.push({ name, description, input });
  }
  return ok(schemas);
}

function missing(what: string): Result<never> {
  const hint = "Run `rein verify`; restore the session from an export.";
  return fail("store_damaged", `The captured head of the prompt ${what}.`, hint);
}
