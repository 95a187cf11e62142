import type { JsonObject } from "../../core/json.ts";
import { clip } from "./clip.ts";
import { type Conversation, offers, type PastCall } from "./conversation.ts";
import { codeBlock } from "./markdown.ts";
import type { Playbook } from "./playbook.ts";

const ECHO = /^\s*(?:please\s+)?(?:echo|say|repeat)[\s:：]+(?<words>\S[\s\S]*)$/iu;

/** Tasks that are one call. The argument stands in backticks or quotes, so that no sentence is taken for a command. */
const ORDERS: readonly {
  readonly pattern: RegExp;
  readonly tool: string;
  readonly input: (argument: string) => JsonObject;
}[] = [
  { pattern: order("run|execute"), tool: "shell", input: (command) => ({ command }) },
  { pattern: order("read|show|print"), tool: "read", input: (path) => ({ path }) },
  { pattern: order("list"), tool: "list", input: (path) => ({ path }) },
  { pattern: order("search(?: for)?|find|grep"), tool: "search", input: (pattern) => ({ pattern }) },
];

const MOST_ATTEMPTS = 2;
/** Units of a result that are repeated. */
const MOST_SHOWN = 4_000;

function order(verbs: string): RegExp {
  return new RegExp(
    `^\\s*(?:please\\s+)?(?:${verbs})\\s+(?:the\\s+)?(?:file\\s+|folder\\s+|command\\s+)?([\`"'])(?<argument>.+)\\1\\s*[.!]?\\s*$`,
    "iu",
  );
}

/** Repeats words, or makes the one call that a task spells out, and shows what came of it. */
export const simplePlaybook: Playbook = {
  name: "simple",
  purpose: "Repeats words, or makes one call that you spell out and shows its result.",
  examples: ["echo good morning", "run `npm test`", "read `package.json`", "list `src`", "search `console.log`"],
  asks: (text) => ECHO.test(text) || orderIn(text) !== undefined,
  rules: [
    {
      name: "echo",
      when: ({ task }) => ECHO.test(task),
      respond: ({ task }) => [{ type: "text", text: ECHO.exec(task)?.groups?.words?.trim() ?? "" }],
    },
    {
      name: "call-once",
      when: (conversation) => {
        const last = lastCall(conversation);
        const open = last === undefined || (last.outcome === "missing" && conversation.calls.length < MOST_ATTEMPTS);
        return open && offers(conversation, orderIn(conversation.task)?.tool ?? "");
      },
      respond: ({ task }) => {
        const found = orderIn(task);
        return found === undefined ? [] : [{ type: "call", ...found }];
      },
    },
    {
      name: "show-what-came",
      when: (conversation) => lastCall(conversation) !== undefined,
      respond: (conversation) => [{ type: "text", text: resultText(lastCall(conversation)) }],
    },
    {
      name: "not-offered",
      when: () => true,
      respond: ({ task }) => [
        { type: "text", text: `That needs the tool \`${orderIn(task)?.tool ?? ""}\`, which I am not offered here.` },
      ],
    },
  ],
};

function orderIn(task: string): { readonly tool: string; readonly input: JsonObject } | undefined {
  for (const { pattern, tool, input } of ORDERS) {
    const argument = pattern.exec(task)?.groups?.argument;
    if (argument !== undefined) return { tool, input: input(argument) };
  }
  return undefined;
}

function lastCall({ task, calls }: Conversation): PastCall | undefined {
  const tool = orderIn(task)?.tool;
  return calls.findLast((call) => call.tool === tool);
}

function resultText(call: PastCall | undefined): string {
  if (call === undefined) return "";
  const how = call.outcome === "ok" ? "returned" : `did not succeed (${call.errorType ?? call.outcome})`;
  return `\`${call.tool}\` ${how}:\n${codeBlock(clip(call.text, MOST_SHOWN))}`;
}
