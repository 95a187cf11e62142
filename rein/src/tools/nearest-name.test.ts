import { describe, expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["read_file", "write_file", "bash", "grep"];

describe("nearestName", () => {
  test.each([
    ["Read_file", "read_file"],
    [" read_file ", "read_file"],
    ["readfile", "read_file"],
    ["write-file", "write_file"],
    ["gerp", undefined],
    ["grap", "grep"],
    ["repo_browser.read_file", undefined],
    ["rm_everything", undefined],
    ["", undefined],
    ["x".repeat(300), undefined],
  ])("%j gives %j", (name, nearest) => {
    expect(nearestName(name, names)).toBe(nearest);
  });

  test("of two that are equally near, the first", () => {
    expect(nearestName("rat", ["cat", "bat"])).toBe("cat");
  });

  test("none is near where there is none", () => {
    expect(nearestName("read", [])).toBeUndefined();
  });
});
