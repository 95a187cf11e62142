import { ok, type Result } from "../core/errors.ts";
import type { Captured, Context, Redact } from "../core/ports.ts";
import type { SessionSettings } from "../core/session/index.ts";
import { type EnvironmentFacts, renderEnvironment, renderSystem, SYSTEM_RENDERER } from "./render-system.ts";

/** Files of the workspace that may hold instructions, in the order in which the prompt has them. */
const SOURCES = ["AGENTS.md"] as const;

/** Most bytes taken of a file with instructions. */
const MOST_BYTES = 32 * 1024;

/** What the context room is made of. */
export interface ContextOptions extends Omit<EnvironmentFacts, "folder"> {
  readonly redact: Redact;
  /**
   * Reads a file of the workspace's root for the prompt; null when there is none or the folder is not trusted. Default: no
   * file is read, since what lies in a folder may come from anyone.
   */
  readonly readSource?: (name: string, settings: SessionSettings) => Promise<Result<string | null>>;
}

/**
 * Makes the context port: captures what the prompt starts with. Two captures of an unchanged workspace give the same
 * bytes. Errors: those of `readSource`; a source that is there and cannot be read is not left out in silence.
 */
export function createContext(options: ContextOptions): Context {
  const clean = (text: string): string => wellFormed(options.redact.text(text));
  return {
    async capture(settings) {
      const { platform, date } = options;
      const facts = { folder: settings.folder, platform, ...(date === undefined ? {} : { date }) };
      const environment = clean(renderEnvironment(facts));
      const instructions: Captured["sources"][number][] = [];
      for (const source of SOURCES) {
        const read = (await options.readSource?.(source, settings)) ?? ok(null);
        if (!read.ok) return read;
        if (read.value !== null && read.value.trim() !== "")
          instructions.push({ source, text: bounded(clean(read.value)) });
      }
      const append = settings.appendSystemPrompt;
      return ok({
        system: renderSystem({ environment, instructions, ...(append === undefined ? {} : { append: clean(append) }) }),
        sources: [
          { source: "renderer", text: `system ${SYSTEM_RENDERER}` },
          { source: "environment", text: environment },
          ...instructions,
        ],
      });
    },
  };
}

function bounded(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_BYTES) return text;
  const kept = new TextDecoder().decode(bytes.subarray(0, MOST_BYTES), { stream: true });
  return `${kept}\n[cut here: the file has ${bytes.length} bytes]`;
}

/** The rule for text from outside: NUL becomes `␀`, a lone surrogate `�`. */
function wellFormed(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\u2400");
}
