import { counted } from "../../core/counted.ts";
import { toolFailure } from "../result/tool-failure.ts";
import { tool } from "../tool.ts";
import { shownPath } from "./shown-path.ts";

/** Writes a file whole. */
export const write = tool({
  name: "write",
  description:
    "Writes a text file as a whole: it is made, with the folders above it, or what was in it is replaced. Read a file " +
    "before you replace it.",
  access: "trusted",
  input: {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, description: "Path, relative to the workspace folder or absolute." },
      content: { type: "string", description: "The whole content." },
    },
    required: ["path", "content"],
    additionalProperties: false,
  },
  effects: ({ path }) => [{ kind: "write", path }],
  async run({ path, content }, { hands, folder }) {
    if (!content.isWellFormed()) {
      return toolFailure({
        type: "tool_arguments_invalid",
        message: "The content holds a lone surrogate, which no UTF-8 file can hold. Nothing was written.",
        hint: "Write the character itself instead of half of its escape.",
      });
    }
    const bytes = new TextEncoder().encode(content);
    const written = await hands.writeFile(path, bytes);
    if (!written.ok) return toolFailure(written.error);
    return `Wrote ${counted(bytes.length, "byte")} (${lineCount(content)}) to ${shownPath(folder, path)}.`;
  },
});

function lineCount(content: string): string {
  const lines = content === "" ? 0 : content.split("\n").length - (content.endsWith("\n") ? 1 : 0);
  return counted(lines, "line");
}
