import { expect, test } from "vitest";
import { type StorePlaces, storePath } from "./store-path.ts";

const linux: StorePlaces = { env: {}, platform: "linux", home: () => "/home/ada" };

test.each<[string, StorePlaces, string]>([
  ["--store before all", { ...linux, given: "here.db", env: { REIN_HOME: "/r" } }, "here.db"],
  ["REIN_HOME", { ...linux, env: { REIN_HOME: "/r", XDG_DATA_HOME: "/x" } }, "/r/sessions.db"],
  ["an empty REIN_HOME is none", { ...linux, env: { REIN_HOME: "" } }, "/home/ada/.local/share/rein/sessions.db"],
  ["XDG_DATA_HOME", { ...linux, env: { XDG_DATA_HOME: "/x" } }, "/x/rein/sessions.db"],
  [
    "a relative XDG_DATA_HOME is none",
    { ...linux, env: { XDG_DATA_HOME: "x" } },
    "/home/ada/.local/share/rein/sessions.db",
  ],
  ["macOS", { ...linux, platform: "darwin" }, "/home/ada/Library/Application Support/rein/sessions.db"],
])("%s", (_, places, path) => {
  expect(storePath(places)).toEqual({ ok: true, value: path });
});

test("no home folder is an error with what to set", () => {
  const none = () => {
    throw new Error("no home");
  };
  for (const home of [none, () => "", () => "relative"]) {
    expect(storePath({ ...linux, home })).toMatchObject({ ok: false, error: { code: "path_unusable" } });
  }
});
