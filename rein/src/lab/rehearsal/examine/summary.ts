import { counted } from "../../../core/counted.ts";
import type { Findings } from "./findings.ts";
import { languagesOf } from "./languages-of.ts";
import { runSentence } from "./report-tests.ts";
import { sizeText } from "./size-text.ts";

const MOST_NAMES = 5;

/** The findings in a few sentences. */
export function summary({ listing, marks, testRuns, conversation }: Findings): string {
  const sentences: string[] = [];
  if (listing === undefined) sentences.push("The folder could not be listed.");
  else if (listing.files.length === 0) sentences.push("The folder is empty.");
  else {
    const bytes = listing.files.reduce((sum, file) => sum + file.size, 0);
    const languages = languagesOf(listing.files)
      .map(({ language }) => language)
      .filter((language) => language !== "other");
    const mostly = languages.length === 0 ? "" : `, mostly ${languages.slice(0, 3).join(", ")}`;
    const cut = listing.cut ? " that were listed" : "";
    sentences.push(`${counted(listing.files.length, "file")}${cut}, ${sizeText(bytes)}${mostly}.`);
  }
  if (testRuns.length === 0) sentences.push("I found nothing that says how it is tested.");
  for (const run of testRuns) {
    sentences.push(`\`${run.test.command}\`: ${runSentence(run)}`);
    const names = (run.run?.exitCode === 0 ? [] : (run.reading?.failures ?? [])).map(({ name }) => name);
    if (names.length > 0)
      sentences.push(`Failing: ${names.slice(0, MOST_NAMES).join("; ")}${names.length > MOST_NAMES ? "; …" : ""}.`);
  }
  if (marks !== undefined) sentences.push(`${counted(marks.total, "line")} with open marks.`);
  const denied = conversation.calls.filter((call) => call.outcome === "denied").length;
  if (denied > 0) sentences.push(`${counted(denied, "call")} ${denied === 1 ? "was" : "were"} denied.`);
  return sentences.join(" ");
}
