import { counted } from "../../../core/counted.ts";
import { clip } from "../clip.ts";
import { inlineCode, table } from "../markdown.ts";
import type { Findings } from "./findings.ts";
import { languagesOf } from "./languages-of.ts";
import { limitsSection } from "./report-limits.ts";
import { testsSection } from "./report-tests.ts";
import { sizeText } from "./size-text.ts";

const MOST_LANGUAGES = 20;
const MOST_MARKS = 40;
/** UTF-16 units shown of a line with a mark. */
const MOST_UNITS = 200;
const MOST_LARGEST = 10;
/** A file of at least so many bytes is called large. */
const LARGE = 100_000;

/** The report, as Markdown. A pure function of what was seen. */
export function report(findings: Findings): string {
  const sections = [
    "# What was seen in this folder",
    "Written by Rein's rehearsal model, which is rule-based and no language model. Every figure below comes from a tool result of this session; nothing is guessed.",
    numbersSection(findings),
    ...testsSection(findings),
    marksSection(findings),
    largestSection(findings),
    limitsSection(findings),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

function numbersSection({ listing }: Findings): string {
  if (listing === undefined) return "## In numbers\n\nThe folder could not be listed, so there are no figures.";
  const { files, folders, others, ignored, cut } = listing;
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const facts = [
    files.length === 0
      ? "There are no files in this folder."
      : `${counted(files.length, "file")} in ${counted(folders.length, "folder")}, ${sizeText(bytes)} in all.`,
    ...(others > 0
      ? [
          `${others === 1 ? "1 more entry is a link or another thing that is no file; it was" : `${others} more entries are links or other things that are no files; they were`} not followed.`,
        ]
      : []),
    ...(ignored > 0 ? [`${ignored} ${ignored === 1 ? "entry" : "entries"} left out because of \`.gitignore\`.`] : []),
    ...(cut
      ? ["**The listing was cut because it is too long: all figures cover only the files that were listed.**"]
      : []),
  ];
  const shares = languagesOf(files);
  const rows = shares
    .slice(0, MOST_LANGUAGES)
    .map(({ language, files: count, bytes: size }) => [language, String(count), sizeText(size)]);
  const languages = rows.length === 0 ? [] : [table(["language (by file name)", "files", "size"], rows)];
  return ["## In numbers", facts.join("\n"), ...languages].join("\n\n");
}

function marksSection({ marks }: Findings): string {
  const title = "## Open marks (TODO, FIXME)";
  if (marks === undefined) return `${title}\n\nNot searched for: see below.`;
  if (marks.total === 0) return `${title}\n\nNone found.`;
  const shown = marks.marks
    .slice(0, MOST_MARKS)
    .map(({ path, line, text }) => `- ${inlineCode(`${path}:${line}`)} ${inlineCode(clip(text, MOST_UNITS))}`);
  const left = marks.total - shown.length;
  const more = left > 0 ? `\n\n${left} more ${left === 1 ? "is" : "are"} not shown.` : "";
  const cut = marks.cut ? "\n\nThe search did not see everything, so there may be more." : "";
  return `${title}\n\n${counted(marks.total, "line")}:\n\n${shown.join("\n")}${more}${cut}`;
}

function largestSection({ listing }: Findings): string {
  if (listing === undefined || listing.files.length === 0) return "";
  const largest = listing.files
    .toSorted((a, b) => b.size - a.size || (a.path < b.path ? -1 : 1))
    .slice(0, MOST_LARGEST);
  const large = listing.files.filter((file) => file.size >= LARGE).length;
  const found = large === 0 ? "" : `${counted(large, "file")} of ${sizeText(LARGE)} or more.\n\n`;
  const rows = largest.map(({ path, size }) => [inlineCode(path), sizeText(size)]);
  return `## Largest files\n\n${found}${table(["file", "size"], rows)}`;
}
