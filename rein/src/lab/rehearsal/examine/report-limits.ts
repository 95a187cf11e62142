import { counted } from "../../../core/counted.ts";
import { clip } from "../clip.ts";
import { offers, type PastCall } from "../conversation.ts";
import { inlineCode } from "../markdown.ts";
import type { Findings } from "./findings.ts";
import { isOpen, isSameCall, type WantedCall } from "./wanted-call.ts";

const TOOLS = ["list", "search", "read", "shell", "write"];
const WITHOUT: Readonly<Record<string, string>> = {
  list: "the folder was not listed, and only files with usual names were looked for",
  search: "marks were not searched for",
  read: "no file was read",
  shell: "no tests were run",
  write: "the report was not written to a file",
};
const MOST_CALLS = 20;
const MOST_REASON = 240;

/** What was not done, and why: denied calls, tools that are missing, results that did not come. */
export function limitsSection({ conversation, reportPath }: Findings): string {
  // While the report is still to be written, an attempt that came to nothing is no news.
  const writing: WantedCall = { tool: "write", input: { path: reportPath } };
  const writes = isOpen(conversation, writing);
  const missing = TOOLS.filter((tool) => !offers(conversation, tool)).map(
    (tool) => `- The tool ${inlineCode(tool)} was not offered: ${WITHOUT[tool] ?? "it was done without"}.`,
  );
  const failed = lastOfEach(conversation.calls).filter(
    (call) => call.outcome !== "ok" && !(writes && isSameCall(call, writing)),
  );
  const calls = failed.slice(0, MOST_CALLS).map((call) => `- ${inlineCode(shownCall(call))}: ${howItEnded(call)}`);
  const more =
    failed.length > calls.length ? [`- ${counted(failed.length - calls.length, "more call")} did not succeed.`] : [];
  const remarks = conversation.remarks.map(
    (remark) =>
      `- You said while I worked: ${inlineCode(clip(remark, MOST_REASON))}. I take only a new place for the report from such words.`,
  );
  const lines = [...missing, ...calls, ...more, ...remarks];
  const facts = lines.length === 0 ? "Nothing was denied, and nothing was left undone." : lines.join("\n");
  return `## What could not be done\n\n${facts}`;
}

/** The newest of equal calls: an older attempt that was repeated is not what counts. */
function lastOfEach(calls: readonly PastCall[]): readonly PastCall[] {
  const last = new Map(calls.map((call) => [shownCall(call), call]));
  return [...last.values()];
}

/** A call in one line: the tool and what it was about. */
function shownCall({ tool, input }: PastCall): string {
  const about = input.command ?? input.path ?? input.pattern ?? "";
  return clip(`${tool} ${String(about)}`, MOST_REASON);
}

function howItEnded(call: PastCall): string {
  const reason = inlineCode(clip(call.text.replace(/\s+/g, " ").trim(), MOST_REASON));
  switch (call.outcome) {
    case "ok":
      return "done.";
    case "denied":
      return `**denied**. ${reason}`;
    case "timeout":
      return "did not end in time.";
    case "unknown":
      return "its outcome is unknown.";
    case "interrupted":
    case "cancelled":
      return "interrupted.";
    case "missing":
      return "it has no result.";
    case "broken":
      return `failed. ${reason}`;
  }
}
