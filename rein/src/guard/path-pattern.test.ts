import { describe, expect, it } from "vitest";
import { type Anchors, allowCovers, below, denyTouches, patternBase } from "./path-pattern.ts";
import { type PathPattern, parseRule } from "./rule.ts";

const anchors: Anchors = { workspace: "/ws", home: "/home/u", root: "/" };

function pattern(argument: string): PathPattern {
  const rule = parseRule(`Read(${argument})`);
  if (!rule.ok || rule.value.kind !== "path" || rule.value.pattern === null) throw new Error(argument);
  return rule.value.pattern;
}

const covers = (argument: string, path: string, isTree = false): boolean =>
  allowCovers(pattern(argument), anchors, path, isTree);

const touches = (argument: string, path: string, isTree = false): boolean => {
  const read = pattern(argument);
  const base = read.floating ? anchors[read.anchor] : patternBase(read, anchors);
  return denyTouches(read, [base], path, isTree);
};

describe("allowCovers", () => {
  it.each([
    ["report/**", "/ws/report/a.md", true],
    ["report/**", "/ws/report/deep/er/a.md", true],
    ["report/**", "/ws/reports/a.md", false],
    ["report/**", "/ws/a.md", false],
    ["report/**", "/other/report/a.md", false],
    ["report/*.md", "/ws/report/a.md", true],
    ["report/*.md", "/ws/report/deep/a.md", false],
    ["report.md", "/ws/report.md", true],
    ["report.md", "/ws/sub/report.md", false],
    ["report.md", "/ws/REPORT.md", false],
    ["report.md", "/ws/report.md/x", false],
    ["*", "/ws/a", true],
    ["*", "/ws/a/b", false],
    ["**", "/ws/a/b", true],
    ["**", "/ws/.git/hooks/pre-commit", false],
    ["**", "/ws/a/.env", false],
    [".github/**", "/ws/.github/x.yml", true],
    ["..x/**", "/ws/..x/y", true],
    ["a.{md,txt}", "/ws/a.txt", true],
    ["//etc/hosts", "/etc/hosts", true],
    ["//etc/hosts", "/etc/hosts2", false],
    ["//etc/**", "/etc/a/b", true],
    ["~/notes/**", "/home/u/notes/a", true],
    ["~/notes/**", "/home/v/notes/a", false],
    ["a*c", "/ws/a\nc", true],
    ["+(a)", "/ws/aa", false],
  ])("%s covers %j: %s", (argument, path, expected) => {
    expect(covers(argument, path)).toBe(expected);
  });

  it("covers a tree only when all of it is covered", () => {
    expect(covers("report/**", "/ws/report", true)).toBe(true);
    expect(covers("report/**", "/ws/report/sub", true)).toBe(true);
    expect(covers("report/**", "/ws", true)).toBe(false);
    expect(covers("report/*", "/ws/report", true)).toBe(false);
    expect(covers("report/*.md", "/ws/report", true)).toBe(false);
    expect(covers("report", "/ws/report", true)).toBe(false);
  });
});

describe("denyTouches", () => {
  it.each([
    ["secrets/**", "/ws/secrets/a", true],
    ["secrets/**", "/ws/secrets", true],
    ["secrets/**", "/ws/SECRETS/a", true],
    ["secrets", "/ws/secrets/a/b", true],
    ["secrets", "/ws/deep/secrets/a", true],
    ["secrets", "/ws/mysecrets/a", false],
    ["/secrets", "/ws/deep/secrets/a", false],
    [".env", "/ws/.env", true],
    [".env", "/ws/pkg/.ENV", true],
    [".env", "/ws/.env.local", false],
    [".env*", "/ws/a/.env.local", true],
    ["*.pem", "/ws/a/b/KEY.PEM", true],
    ["*.pem", "/elsewhere/key.pem", false],
    ["a/*.pem", "/ws/a/x.pem", true],
    ["a/*.pem", "/ws/a/x.pem/inner", true],
    ["a/*.pem", "/ws/a/b/x.pem", false],
    ["**/.git/config", "/ws/x/.git/config", true],
    ["**", "/ws/.git/x", true],
    ["**", "/ws/a\nb", true],
    ["//etc/**", "/etc/passwd", true],
    ["//**", "/anything/at/all", true],
  ])("%s touches %j: %s", (argument, path, expected) => {
    expect(touches(argument, path)).toBe(expected);
  });

  it("denies a tree in which a match could lie", () => {
    expect(touches("secrets/**", "/ws", true)).toBe(true);
    expect(touches("secrets/**", "/", true)).toBe(true);
    expect(touches("secrets/**", "/ws/secrets/deep", true)).toBe(true);
    expect(touches("secrets/**", "/ws/src", true)).toBe(false);
    expect(touches("a/*.pem", "/ws/a/b", true)).toBe(true);
    expect(touches(".env", "/ws/src", true)).toBe(true);
    expect(touches(".env", "/elsewhere", true)).toBe(false);
    expect(touches("//etc/shadow", "/ws", true)).toBe(false);
  });
});

describe("below", () => {
  it.each([
    ["/a", "/a", ""],
    ["/a", "/a/b/c", "b/c"],
    ["/a", "/ab", null],
    ["/a", "/", null],
    ["/a", "/a/..b", "..b"],
    ["/", "/x", "x"],
  ])("below(%s, %s) is %j", (folder, path, expected) => {
    expect(below(folder, path)).toBe(expected);
  });
});
