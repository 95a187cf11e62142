import { expect, test } from "vitest";
import { askText } from "./ask-text.ts";

test("short arguments stand on a line, long texts line by line", () => {
  expect(askText('write {"path":"a.md","content":"# One\\n\\n- two","mode":420}')).toBe(
    "  write\n    path: a.md\n    content:\n      | # One\n      | \n      | - two\n    mode: 420",
  );
});

test("what could steer the terminal or turn the text round is not passed on", () => {
  expect(askText('shell {"command":"ls \\u001b[2K\\u202e; rm x"}')).toBe(
    "  shell\n    command: ls \ufffd[2K\ufffd; rm x",
  );
});

test("it says when lines are left out", () => {
  const content = JSON.stringify("x\n".repeat(150));
  expect(askText(`write {"content":${content}}`).split("\n").at(-1)).toBe("      … 51 more lines not shown here");
});

test("what is not of that form is shown as it came", () => {
  expect(askText("shell ls")).toBe("  shell ls");
  expect(askText("shell")).toBe("  shell");
});
