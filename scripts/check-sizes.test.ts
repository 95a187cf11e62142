import { expect, test } from "vitest";
import { sizeFaults } from "./check-sizes.ts";
import { parseSource } from "./source-files.ts";

const lines = (count: number): string => "  step();\n".repeat(count);
const faults = (path: string, text: string) => sizeFaults(parseSource(path, text));

test("a function of 80 lines passes and one of 81 does not", () => {
  expect(faults("a.ts", `function f() {\n${lines(78)}}\n`)).toEqual([]);
  expect(faults("a.ts", `\nfunction f() {\n${lines(79)}}\n`)).toEqual(["a.ts:2: function of 81 lines, at most 80."]);
});

test("arrow functions, methods and constructors count as well", () => {
  expect(faults("a.ts", `const f = () => {\n${lines(79)}};\n`)).toHaveLength(1);
  expect(faults("a.ts", `class C {\nm() {\n${lines(79)}}\n}\n`)).toHaveLength(1);
  expect(faults("a.ts", `class C {\nconstructor() {\n${lines(79)}}\n}\n`)).toHaveLength(1);
});

test("a file of 600 lines passes and one of 601 does not", () => {
  expect(faults("a.ts", "step();\n".repeat(600))).toEqual([]);
  expect(faults("a.ts", "step();\n".repeat(601))).toEqual(["a.ts: 601 lines, at most 600: split it by ideas."]);
});

test("the driver has at most 300 lines", () => {
  expect(faults("rein/src/core/brain/driver.ts", "step();\n".repeat(301))).toHaveLength(1);
});
