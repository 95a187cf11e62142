import { expect, test } from "vitest";
import { realAccesses } from "./real-accesses.ts";

const effects = [
  { kind: "write", path: "/ws/link" },
  { kind: "execute", command: "ls", cwd: "/ws" },
  { kind: "read", path: "/ws/plain" },
] as const;
const reals = ["/data/real", "/elsewhere", "/ws/plain"];
const write = (resource: string) => [{ resource, write: true }];

test("a path of an effect becomes the place it leads to, and what lies below it too", () => {
  expect(realAccesses(write("path:/ws/link"), effects, reals)).toEqual(write("path:/data/real"));
  expect(realAccesses(write("path:/ws/link/a/b"), effects, reals)).toEqual(write("path:/data/real/a/b"));
});

test("everything else stays", () => {
  for (const resource of ["path:/ws/plain", "path:/ws/linked", "path:/ws", "state:/ws/link", "*", "path:"]) {
    expect(realAccesses(write(resource), effects, reals)).toEqual(write(resource));
  }
  expect(realAccesses(write("path:/ws/link"), effects, undefined)).toEqual(write("path:/ws/link"));
});
