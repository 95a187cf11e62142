import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Scene } from "./scene.ts";

/** Two links that lead to each other, and one that leads to the folder it lies in. */
function scene(): Scene {
  const made = new Scene();
  symlinkSync("there", join(made.work, "here"));
  symlinkSync("here", join(made.work, "there"));
  symlinkSync(".", join(made.work, "self"));
  writeFileSync(join(made.work, "a.txt"), "needle\n");
  return made;
}

test("a link that leads to itself is told as that, by every tool", async () => {
  const results = await scene().results(
    [
      { name: "read", input: { path: "here" } },
      { name: "read", input: { path: "here/a.txt" } },
      { name: "write", input: { path: "there", content: "x" } },
      { name: "write", input: { path: "there/x", content: "x" } },
      { name: "list", input: { path: "here" } },
      { name: "search", input: { pattern: "needle", path: "there" } },
    ],
    { allow: ["Read", "Write"] },
  );
  for (const { end, text } of results) {
    expect(end).toBe("denied");
    expect(text).toMatch(/link|loop/i);
  }
  expect(results).toHaveLength(6);
});

test("a walk ends, and finds each file once", async () => {
  const [list, search] = await scene().results([
    { name: "list", input: { path: "." } },
    { name: "search", input: { pattern: "needle", path: "." } },
  ]);
  expect(list?.end).toBe("ok");
  expect(list?.text.match(/a\.txt/g)).toHaveLength(1);
  expect(search?.text.match(/needle/g)).toHaveLength(1);
});

test("a workspace that is such a link is refused, whatever it is asked", async () => {
  const made = scene();
  const [read] = await made.results([{ name: "read", input: { path: "a.txt" } }], { folder: join(made.work, "here") });
  expect(read?.end).toBe("denied");
  expect(read?.text).toMatch(/link|loop/i);
});
