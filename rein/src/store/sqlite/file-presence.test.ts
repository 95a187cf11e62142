import { copyFileSync, renameSync, rmSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { unwrap } from "../../core/errors.ts";
import { currentOwner, openSqliteStore } from "./index.ts";
import { makeTestFolder } from "./testing.ts";

test.each([
  ["deleted", "is gone", (file: string) => rmSync(file)],
  [
    "replaced",
    "has been replaced by another file",
    (file: string) => {
      copyFileSync(file, `${file}.copy`);
      renameSync(`${file}.copy`, file);
    },
  ],
])("nothing more is written to a database that was %s while it is open", async (_, what, spoil) => {
  const folder = makeTestFolder();
  onTestFinished(() => folder.remove());
  const path = folder.path();
  let now = 0;
  const store = unwrap(await openSqliteStore({ path, now: () => now }));
  const { token } = unwrap(await store.acquire("s", currentOwner(), 60_000));
  const append = (expectedSeq: number) => {
    const events = [{ type: "x.n", version: 1, at: 0, data: "1" }];
    return store.commit({ appends: [{ stream: "s", expectedSeq, token, events }] });
  };
  unwrap(await append(0));
  spoil(path);
  now += 1_000;
  expect(await append(1)).toMatchObject({
    ok: false,
    error: {
      code: "store_damaged",
      message: `The database ${path} ${what} while it is in use, so nothing more is written to it.`,
    },
  });
  await store.close();
});
