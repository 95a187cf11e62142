import { expect, it } from "vitest";
import { conflicts } from "./conflicts.ts";

const read = (resource: string) => [{ resource, write: false }];
const write = (resource: string) => [{ resource, write: true }];

it.each([
  ["two reads of one file", read("/a"), read("/a"), false],
  ["a read and a write of one file", read("/a"), write("/a"), true],
  ["two writes of one file", write("/a"), write("/a"), true],
  ["writes of two files", write("/a"), write("/b"), false],
  ["a write below a folder that is read", read("/a"), write("/a/b/c"), true],
  ["a write of a folder and a read below it", write("/a/"), read("/a/b"), true],
  ["names that only begin alike", write("/a"), write("/ab"), false],
  ["everything and a write", read("*"), write("/a"), true],
  ["everything and a read", read("*"), read("/a"), false],
  ["a write of everything and a read", write("*"), read("/a"), true],
  ["nothing and a write of everything", [], write("*"), false],
])("%s", (_name, one, other, expected) => {
  expect(conflicts(one, other)).toBe(expected);
  expect(conflicts(other, one)).toBe(expected);
});
