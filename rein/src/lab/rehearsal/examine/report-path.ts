/** Where the report goes when the task names no place. */
export const DEFAULT_REPORT_PATH = "report/README.md";

// What may stand between the verb and the place: few words, so that "a report on the code in src/" names no place to write to.
const OBJECT = String.raw`(?:(?:it|this|that|them|everything|(?:the|a|an|your|its)\s+(?:\w+\s+)?(?:report|results?|findings|summary|answer|document))\s+)?`;
const PLACE = String.raw`(?:the\s+)?(?:file\s+|folder\s+)?(?:\x60([^\x60\n]+)\x60|"([^"\n]+)"|'([^'\n]+)'|“([^”\n]+)”|([^\s\x60"'“”,;，。；]+))`;
const ENGLISH = new RegExp(
  String.raw`\b(?:write|save|put|store|place|report)\s+${OBJECT}(?:to|into|in|at|as|under)\s+${PLACE}`,
  "giu",
);
const CHINESE = new RegExp(
  String.raw`(?:写到|写入|写进|保存到|保存为|存到|存为|放到|放在)\s*(?:文件|目录)?\s*${PLACE}`,
  "giu",
);

/** The path that words of a task name, as in "write it to docs/seen.md"; the last one counts. A folder gets a README.md. */
export function reportPath(texts: readonly string[]): string {
  let path = DEFAULT_REPORT_PATH;
  for (const text of texts) {
    for (const match of [...text.matchAll(ENGLISH), ...text.matchAll(CHINESE)]) {
      const place = (match.slice(1).find((group) => group !== undefined) ?? "")
        .replace(/[.!?:)\]]+$/u, "")
        .replace(/^\.\//, "");
      if (place.endsWith("/") && place !== "/") path = `${place}README.md`;
      else if (/\.(?:md|markdown|txt)$/i.test(place)) path = place;
      else if (/^[^/].*\//.test(place) && !place.includes("://")) path = `${place}/README.md`;
    }
  }
  return path;
}
