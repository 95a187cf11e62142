import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { putInPlace } from "./put-in-place.ts";
import { scratchFolder } from "./testing/rein-process.ts";

const noLinks = (): never => {
  throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" });
};

test.each([
  ["with hard links", linkSync],
  ["without hard links", noLinks],
])("%s a file gets its name, unless another has it", (_, link) => {
  const folder = scratchFolder();
  const [beside, path] = [join(folder, "a.part"), join(folder, "a")];
  writeFileSync(beside, "whole");
  putInPlace(beside, path, link);
  expect(readFileSync(path, "utf8")).toBe("whole");
  rmSync(beside, { force: true });
  writeFileSync(beside, "other");
  expect(() => putInPlace(beside, path, link)).toThrow(/EEXIST/);
  expect(readFileSync(path, "utf8")).toBe("whole");
  expect(existsSync(beside)).toBe(true);
});
