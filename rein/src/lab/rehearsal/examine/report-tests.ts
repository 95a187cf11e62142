import { counted } from "../../../core/counted.ts";
import { clip } from "../clip.ts";
import { codeBlock, inlineCode } from "../markdown.ts";
import { type Definition, definitionsOf } from "./definition-of.ts";
import { findPath } from "./find-path.ts";
import type { Findings, TestRun } from "./findings.ts";
import { excerptAround } from "./read-file-text.ts";
import { readError } from "./test-formats/read-test-output.ts";
import type { FailingTest, Place } from "./test-formats/test-reading.ts";

const MOST_FAILURES = 10;
const MOST_MESSAGE_LINES = 12;
const MOST_MESSAGE = 1_200;
const MOST_NAME = 200;
const AROUND_FAILURE = 3;
const AROUND_DEFINITION = 2;
const MOST_DEFINITIONS = 3;
const STACK = /^\s+at .*:\d+/;

/** How the folder is tested, and what the tests said. */
export function testsSection(findings: Findings): readonly string[] {
  const { testRuns } = findings;
  if (testRuns.length === 0) return ["## Tests\n\nNothing was found that says how this folder is tested."];
  const ways = testRuns.map(({ test }) => `- ${inlineCode(test.command)}, because of ${test.because}`);
  return [`## Tests\n\nHow it is tested:\n\n${ways.join("\n")}`, ...testRuns.map((run) => runSection(findings, run))];
}

function runSection(findings: Findings, testRun: TestRun): string {
  const { test, run, reading } = testRun;
  const parts = [`### ${inlineCode(test.command)}`, runSentence(testRun)];
  if (run === undefined || run.exitCode === 0) return parts.join("\n\n");
  const failures = reading?.failures ?? [];
  parts.push(...failures.slice(0, MOST_FAILURES).map((failure) => failureText(findings, testRun, failure)));
  if (failures.length > MOST_FAILURES)
    parts.push(`${failures.length - MOST_FAILURES} more failing tests are not shown.`);
  if (failures.length === 0) {
    const { text, places } = readError(run.output);
    parts.push(`What it wrote:\n\n${codeBlock(shortened(text === "" ? run.output : text))}`);
    const [first] = resolved(findings, test, places);
    if (first !== undefined) parts.push(...excerptOf(findings, first));
  }
  return parts.join("\n\n");
}

/** What came of a test run, in a sentence. */
export function runSentence({ last, run, reading }: TestRun): string {
  if (last === undefined) return "Not run: there is no tool to run commands with.";
  switch (last.outcome) {
    case "denied":
      return "Not run: this was **denied**.";
    case "unknown":
      return "Its outcome is **unknown**: it was begun, and nobody can say whether it came to its end.";
    case "interrupted":
    case "cancelled":
    case "missing":
      return "It was interrupted before it came to its end.";
    case "broken":
      return `It could not be run: ${clip(last.text.replaceAll("\n", " "), 300)}`;
    case "timeout":
      return "It **did not end in time** and was stopped.";
    case "ok":
      break;
  }
  const { passed, failed } = reading ?? {};
  const figures = [
    ...(passed === undefined ? [] : [`${passed} passed`]),
    ...(failed === undefined ? [] : [`${failed} failed`]),
  ].join(", ");
  const code = run?.exitCode ?? null;
  const how = code === null ? "ended by a signal" : `exit code ${code}`;
  const cut = run?.cut === true ? " Its output was cut, so failing tests may be missing here." : "";
  const starts = code === 127 ? " The program was not found; dependencies may not be installed." : "";
  const none = passed === 0 && failed === 0 ? " No test was run." : "";
  return `**${code === 0 ? "Passed" : "Failed"}** (${[how, figures].filter((part) => part !== "").join("; ")}).${none}${starts}${cut}`;
}

function failureText(findings: Findings, { test, run }: TestRun, failure: FailingTest): string {
  const said =
    failure.message.length < 30 ? [failure.message, readError(run?.output ?? "").text].join("\n") : failure.message;
  const places = resolved(findings, test, failure.places);
  const [first] = places;
  // The first place may be where the test begins; the last one in that file is where it fails.
  const exact =
    places.find(({ file, line }) => file === first?.file && line !== undefined && line !== first.line) ?? first;
  const where =
    exact === undefined
      ? ""
      : ` in ${inlineCode(exact.line === undefined ? exact.file : `${exact.file}:${exact.line}`)}`;
  return [
    `**${inlineCode(clip(failure.name, MOST_NAME))}**${where}`,
    codeBlock(shortened(said)),
    ...(exact === undefined ? [] : excerptOf(findings, exact)),
  ].join("\n\n");
}

/** The places as files of this folder; what lies elsewhere is left out. */
function resolved({ paths }: Findings, { folder }: TestRun["test"], places: readonly Place[]): readonly Place[] {
  return places.flatMap((place) => {
    const file = findPath(place.file, paths, folder);
    return file === undefined ? [] : [{ ...place, file }];
  });
}

function excerptOf({ texts }: Findings, { file, line }: Place): readonly string[] {
  const text = texts.get(file);
  const failing = line === undefined ? undefined : text?.lines.get(line);
  if (text === undefined || line === undefined || failing === undefined) return [];
  const isShown = (found: Definition): boolean => found.path === file && Math.abs(found.line - line) <= AROUND_FAILURE;
  // What the test tests is elsewhere; what the file itself defines are helpers of the test, told only where they are all there is.
  const all = definitionsOf(failing, texts).filter((found) => !isShown(found));
  const elsewhere = all.filter(({ path }) => path !== file);
  const definitions = elsewhere.length > 0 ? elsewhere : all;
  return [
    `${inlineCode(file)}:\n\n${codeBlock(excerptAround(text, line, AROUND_FAILURE))}`,
    ...definitions.slice(0, MOST_DEFINITIONS).flatMap((found) => {
      const defining = texts.get(found.path);
      const excerpt = defining === undefined ? "" : excerptAround(defining, found.line, AROUND_DEFINITION);
      return [
        `The failing line names ${inlineCode(found.name)}, defined in ${inlineCode(`${found.path}:${found.line}`)}:\n\n${codeBlock(excerpt)}`,
      ];
    }),
  ];
}

/** Without blank runs and without the stack, whose places stand in the excerpts. */
function shortened(text: string): string {
  const lines = text
    .split("\n")
    .filter((line, index, all) => line.trim() !== "" || (all[index - 1] ?? "").trim() !== "");
  const stack = lines.findIndex((line, index) => index > 0 && STACK.test(line));
  const kept = stack < 0 ? lines : lines.slice(0, stack);
  const left = kept.length - MOST_MESSAGE_LINES;
  const more = left > 0 ? `\n… (${counted(left, "more line")})` : "";
  return clip(kept.slice(0, MOST_MESSAGE_LINES).join("\n"), MOST_MESSAGE) + more;
}
