import type { Conversation, PastCall } from "../conversation.ts";
import { findPath } from "./find-path.ts";
import { importedPaths } from "./imported-paths.ts";
import { depthOf } from "./paths.ts";
import { type FileText, readFileText, wholeText } from "./read-file-text.ts";
import { type Listing, mergeListings, readListing } from "./read-listing.ts";
import { type Marks, readMarks } from "./read-marks.ts";
import { readRun, type ShellRun } from "./read-run.ts";
import { reportPath } from "./report-path.ts";
import { filesThatTell, type TestCommand, testCommands } from "./test-commands.ts";
import { readError, readTestOutput } from "./test-formats/read-test-output.ts";
import type { Place, TestReading } from "./test-formats/test-reading.ts";
import { isOpen, lastAttempt, type WantedCall } from "./wanted-call.ts";

/** A test command and what came of it; `last` is missing while it was not tried. */
export interface TestRun {
  readonly test: TestCommand;
  readonly last: PastCall | undefined;
  readonly run: ShellRun | undefined;
  readonly reading: TestReading | undefined;
}

/** What is known so far, all of it taken from results of tools. */
export interface Findings {
  readonly conversation: Conversation;
  readonly reportPath: string;
  /** Undefined when the folder could not be listed. */
  readonly listing: Listing | undefined;
  readonly paths: ReadonlySet<string>;
  readonly texts: ReadonlyMap<string, FileText>;
  readonly marks: Marks | undefined;
  readonly testRuns: readonly TestRun[];
}

/** Deepest level that is listed; the tool's own most. */
const MOST_LEVELS = 20;
/** Seconds a test run may take. */
const TEST_SECONDS = 300;
const MOST_FOLDERS = 10;
const MOST_FAILING_FILES = 6;
const MOST_IMPORTED_FILES = 4;

const MARK_PATTERN = "\\b(?:TODO|FIXME)\\b";
/** Read blindly when the folder cannot be listed. */
const USUAL_FILES = ["package.json", "pyproject.toml", "Makefile", "Cargo.toml", "go.mod", "README.md"];

const LIST_ALL: WantedCall = { tool: "list", input: { path: ".", depth: MOST_LEVELS } };
const LIST_TOP: WantedCall = { tool: "list", input: { path: ".", depth: 1 } };
const SEARCH_MARKS: WantedCall = { tool: "search", input: { pattern: MARK_PATTERN } };

const known = new WeakMap<Conversation, Findings>();

/** What a conversation tells of the folder. Worked out once for each conversation: every rule asks for it. */
export function findingsOf(conversation: Conversation): Findings {
  const before = known.get(conversation);
  if (before !== undefined) return before;
  const findings = read(conversation);
  known.set(conversation, findings);
  return findings;
}

function read(conversation: Conversation): Findings {
  const listing = listingIn(conversation);
  const texts = textsIn(conversation);
  const report = reportPath([conversation.task, ...conversation.remarks]);
  // An earlier report is nothing of the folder's own.
  const files = (listing?.files ?? []).filter(({ path }) => path !== report);
  const paths = new Set(files.map((file) => file.path));
  const search = lastAttempt(conversation, SEARCH_MARKS);
  const marks = search?.outcome === "ok" ? readMarks(search.text) : undefined;
  // Files that are read later, because tests fail in them, must not change how the folder is tested.
  const telling = new Set(listing === undefined ? USUAL_FILES : filesThatTell(paths));
  const signs = {
    paths: listing === undefined ? new Set(USUAL_FILES.filter((path) => texts.has(path))) : paths,
    text: (path: string): string | undefined => (telling.has(path) ? textOf(texts, path) : undefined),
  };
  return {
    conversation,
    reportPath: report,
    listing: listing === undefined ? undefined : { ...listing, files },
    paths,
    texts,
    marks: marks === undefined ? undefined : withoutReport(marks, report),
    testRuns: testCommands(signs).map((test) => testRun(conversation, test)),
  };
}

function textOf(texts: ReadonlyMap<string, FileText>, path: string): string | undefined {
  const found = texts.get(path);
  return found === undefined ? undefined : wholeText(found);
}

function withoutReport(found: Marks, report: string): Marks {
  const marks = found.marks.filter((mark) => mark.path !== report);
  return { ...found, marks, total: found.total - (found.marks.length - marks.length) };
}

function listingIn(conversation: Conversation): Listing | undefined {
  const listings = conversation.calls.flatMap(({ tool, input, outcome, text }) => {
    if (tool !== "list" || outcome !== "ok") return [];
    const path = String(input.path);
    return [{ path, depth: input.depth, listing: readListing(text, path === "." ? "" : path) }];
  });
  if (listings.length === 0) return undefined;
  const merged = mergeListings(listings.map(({ listing }) => listing));
  // The first listing was cut; whether something is missing now is up to those that took its place.
  const rest = listings.slice(1);
  const all = listings.length > 1 && everyFolderListed(listings);
  return { ...merged, cut: all ? rest.some(({ listing }) => listing.cut) : merged.cut };
}

function everyFolderListed(listings: readonly { readonly path: string; readonly listing: Listing }[]): boolean {
  const listed = new Set(listings.map(({ path }) => path));
  const tops = listings.flatMap(({ listing }) => listing.folders).filter((folder) => depthOf(folder) === 0);
  return tops.every((folder) => listed.has(folder));
}

function textsIn({ calls }: Conversation): ReadonlyMap<string, FileText> {
  const texts = new Map<string, FileText>();
  for (const { tool, input, outcome, text } of calls) {
    if (tool === "read" && outcome === "ok") texts.set(String(input.path), readFileText(text));
  }
  return texts;
}

function testRun(conversation: Conversation, test: TestCommand): TestRun {
  const last = lastAttempt(conversation, runTest(test));
  const ran = last?.outcome === "ok" || last?.outcome === "timeout";
  const run = last !== undefined && ran ? readRun(last.text) : undefined;
  return { test, last, run, reading: run === undefined ? undefined : readTestOutput(run.output) };
}

// ── what to call next ────────────────────────────────────────────────────────────────────────────────────────────────

/** The first look: everything below the folder, and the marks in it. */
export function lookCalls(): readonly WantedCall[] {
  return [LIST_ALL, SEARCH_MARKS];
}

/** When the listing is too long for one result: the top by itself, then each folder of it. */
export function lookFurtherCalls({ conversation }: Findings): readonly WantedCall[] {
  const first = lastAttempt(conversation, LIST_ALL);
  if (first === undefined || first.outcome !== "ok" || !readListing(first.text).cut) return [];
  const top = lastAttempt(conversation, LIST_TOP);
  if (top?.outcome !== "ok") return [LIST_TOP];
  return readListing(top.text)
    .folders.slice(0, MOST_FOLDERS)
    .map((path) => ({ tool: "list", input: { path, depth: MOST_LEVELS - 1 } }));
}

/** The files that tell how the folder is tested. */
export function tellingFileCalls({ listing, paths }: Findings): readonly WantedCall[] {
  return (listing === undefined ? USUAL_FILES : filesThatTell(paths)).map(readFile);
}

/** One test command: one after the other, so that they do not get into each other's way. */
export function testCalls({ conversation, testRuns }: Findings): readonly WantedCall[] {
  return testRuns
    .map(({ test }) => runTest(test))
    .filter((call) => !isSettled(conversation, call))
    .slice(0, 1);
}

/** Files in which tests fail. */
export function failingFileCalls(findings: Findings): readonly WantedCall[] {
  return failingPaths(findings).map(readFile);
}

/** Files that the failing ones import. */
export function importedFileCalls(findings: Findings): readonly WantedCall[] {
  const failing = failingPaths(findings);
  const imported = failing.flatMap((path) => importedPaths(path, textOf(findings.texts, path) ?? "", findings.paths));
  return [...new Set(imported)]
    .filter((path) => !failing.includes(path))
    .slice(0, MOST_IMPORTED_FILES)
    .map(readFile);
}

/** Files of the folder that the failing tests name, in the order in which they are named. */
export function failingPaths({ testRuns, paths }: Findings): readonly string[] {
  const found = new Set<string>();
  for (const testRun of testRuns) {
    for (const { file } of placesOf(testRun)) {
      const path = findPath(file, paths, testRun.test.folder);
      if (path !== undefined) found.add(path);
    }
  }
  return [...found].slice(0, MOST_FAILING_FILES);
}

function placesOf({ run, reading }: TestRun): readonly Place[] {
  if (run === undefined || run.exitCode === 0) return [];
  const named = (reading?.failures ?? []).flatMap((failure) => failure.places);
  return named.length > 0 ? named : readError(run.output).places;
}

function readFile(path: string): WantedCall {
  return { tool: "read", input: { path } };
}

function runTest({ command }: TestCommand): WantedCall {
  return { tool: "shell", input: { command, timeout: TEST_SECONDS } };
}

function isSettled(conversation: Conversation, call: WantedCall): boolean {
  const last = lastAttempt(conversation, call);
  return last !== undefined && !isOpen(conversation, call);
}
