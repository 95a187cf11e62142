import type { Playbook, Rule } from "../playbook.ts";
import {
  type Findings,
  failingFileCalls,
  failingPaths,
  findingsOf,
  importedFileCalls,
  lookCalls,
  lookFurtherCalls,
  tellingFileCalls,
  testCalls,
} from "./findings.ts";
import { report } from "./report.ts";
import { stepRule } from "./step.ts";
import { summary } from "./summary.ts";
import { lastAttempt, type WantedCall } from "./wanted-call.ts";

const WORDS =
  /\b(?:examin|inspect|analy[sz]|explor|survey|audit|summari[sz]|review|report)\w*|\b(?:look (?:at|around|into|over|through)|check (?:out )?(?:this|the|my)|describe (?:this|the|my)|what(?:'s| is) in)\b/iu;
const CHINESE_WORDS = /检查|分析|报告|查看|看看|审查|概述|了解/u;
const STOP =
  /^[\s\p{P}]*(?:please\s+)?(?:stop|halt|abort|cancel|停|停止|停下)(?:[\s,]+(?:it|now|please|here|that))*[\s\p{P}]*$/iu;

/** The steps, in their order. The first that has a call open makes it; when none has, the examination is over. */
const STEPS: readonly Rule[] = [
  stepRule({ name: "look", say: () => "First I list the folder and search it for open marks.", calls: lookCalls }),
  stepRule({
    name: "look-further",
    say: () => "The listing is too long for one result, so I list it in parts.",
    calls: lookFurtherCalls,
  }),
  stepRule({
    name: "read-what-tells",
    say: () => "I read the files that tell how this folder is tested.",
    calls: tellingFileCalls,
  }),
  stepRule({ name: "run-tests", say: sayTest, calls: testCalls }),
  stepRule({
    name: "read-what-fails",
    say: (findings) =>
      `Something fails. I read where: ${failingPaths(findings)
        .map((path) => `\`${path}\``)
        .join(", ")}.`,
    calls: failingFileCalls,
  }),
  stepRule({
    name: "read-what-it-uses",
    say: () => "I read what the failing files import.",
    calls: importedFileCalls,
  }),
  stepRule({
    name: "write-report",
    say: ({ reportPath }) => `That is all I look at. I write the report to \`${reportPath}\`.`,
    calls: (findings) => [writeCall(findings)],
  }),
];

/** Examines the workspace folder for real and writes a report: sizes and languages, tests and what fails, open marks, large files. */
export const examinePlaybook: Playbook = {
  name: "examine",
  purpose:
    "Examines this folder: languages and sizes, how it is tested, what fails, open marks, large files; writes a report.",
  examples: [
    "Examine this folder and write a report",
    "Examine this folder and write it to docs/seen.md",
    "检查这个目录并写报告",
  ],
  asks: (text) => WORDS.test(text) || CHINESE_WORDS.test(text),
  rules: [
    {
      name: "stop",
      when: ({ remarks }) => remarks.some((remark) => STOP.test(remark)),
      respond: () => [{ type: "text", text: "I stop here, without a report. Ask me again to begin anew." }],
    },
    ...STEPS,
    {
      name: "tell",
      when: () => true,
      respond: (conversation) => [{ type: "text", text: tell(findingsOf(conversation)) }],
    },
  ],
};

function sayTest(findings: Findings): string {
  const [call] = testCalls(findings);
  return `I run the tests: \`${String(call?.input.command)}\`.`;
}

function writeCall(findings: Findings): WantedCall {
  return { tool: "write", input: { path: findings.reportPath, content: report(findings) } };
}

/** The last words: a summary; and the report itself when it could not be written. */
function tell(findings: Findings): string {
  const written = lastAttempt(findings.conversation, writeCall(findings));
  const text = summary(findings);
  if (written?.outcome === "ok") return `The report is in \`${findings.reportPath}\`.\n\n${text}`;
  const why = written === undefined ? "there is no tool to write with" : written.outcome;
  return `I could not write \`${findings.reportPath}\` (${why}), so here is the report itself. ${text}\n\n${report(findings)}`;
}
