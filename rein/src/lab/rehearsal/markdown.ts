/** Text as inline code. Control characters are spelled out, so that a file's name cannot change the lines around it. */
export function inlineCode(text: string): string {
  const visible = spelled(text.replaceAll("\n", "⏎"));
  const fence = "`".repeat(longestRun(visible) + 1);
  const space = visible.startsWith("`") || visible.endsWith("`") || visible === "" ? " " : "";
  return `${fence}${space}${visible}${space}${fence}`;
}

/** Text as a code block. */
export function codeBlock(text: string): string {
  const visible = spelled(text).trimEnd();
  const fence = "`".repeat(Math.max(3, longestRun(visible) + 1));
  return `${fence}\n${visible}\n${fence}`;
}

/** A table; cells are given as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Control characters, except tab and line feed, and marks that turn the direction of text, as `\u{…}`. */
function spelled(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) => {
    if (char === "\n" || char === "\t") return char;
    return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`;
  });
}
