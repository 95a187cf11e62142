import assert from "node:assert/strict";
import { append, dataOf, event, good, hold, put, refused } from "./helpers.ts";
import type { Check, StoreUnderTest } from "./types.ts";

/** Text that has broken other stores. It must come back byte for byte. */
const TEXTS: Readonly<Record<string, string>> = {
  "no text at all": "",
  "a NUL in the middle": '"a\u0000b"',
  "nothing but NULs": "\u0000\u0000",
  "a NUL as an escape": '"a\\u0000b"',
  "half a surrogate pair as an escape": '"\\ud800 and \\udfff"',
  "characters outside the basic plane": '"👩‍👩‍👧 𝒳 你好"',
  "a byte order mark and line separators": '"\ufeff\u2028\u2029\r\n\t"',
  "a quote, a backslash and SQL": `"'; DROP TABLE events; -- \\" %s ?1 $a"`,
  "decomposed letters": '"e\u0301"',
  "composed letters": '"\u00e9"',
  "a number that JSON.parse would change": "1234567890123456789.10",
  "keys of a trap": '{"__proto__":{"polluted":true},"constructor":1}',
  "text that is no JSON": "{not json",
};

const IDS = [
  "with space",
  "日本語",
  "emoji-👍",
  "e\u0301",
  "\u00e9",
  "a/b\\c:d",
  "'\"%_*?",
  "A",
  "a",
  "ledger",
  "1",
  "0x1",
  " ",
  "x".repeat(500),
];

async function comesBack(under: StoreUnderTest, text: string): Promise<void> {
  const lease = await hold(under, "s");
  good(await append(under.store, lease, 0, [text, "after"]));
  assert.deepEqual(await dataOf(under.store, "s"), [text, "after"]);
  assert.equal(good(await under.store.verify("s")).ok, true);
}

/** Odd data and odd names. */
export const oddDataChecks: readonly Check[] = [
  ...Object.entries(TEXTS).map(([what, text]) => ({
    name: `data with ${what} comes back byte for byte`,
    run: (under: StoreUnderTest) => comesBack(under, text),
  })),
  {
    name: "data of 5 MB comes back byte for byte, in one and two bytes a character",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "s");
      const texts = [`"${"x".repeat(5_000_000)}"`, `"${"你".repeat(1_700_000)}"`];
      good(await append(store, lease, 0, texts));
      const found = await dataOf(store, "s");
      // Compared by hand: a difference of such texts takes minutes to print.
      assert.equal(found.length, 2);
      for (const [index, text] of texts.entries()) assert.ok(found[index] === text, `text ${index} differs`);
      assert.equal(good(await store.verify("s")).ok, true);
    },
  },
  {
    name: "an append of 2,000 events is one append",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "s");
      const texts = Array.from({ length: 2_000 }, (_, index) => String(index));
      good(await append(store, lease, 0, texts));
      assert.deepEqual(await dataOf(store, "s"), texts);
      assert.equal(good(await store.fork("s", 1_000, "f")).seq, 1_000);
      assert.equal(good(await store.verify()).ok, true);
    },
  },
  {
    name: "ids of any well-formed text are ids, each another",
    run: async (under) => {
      const { store } = under;
      for (const [index, id] of IDS.entries()) {
        const lease = await hold(under, id);
        good(await append(store, lease, 0, [String(index)]));
        await put(store, id, `command-${id}`);
      }
      for (const [index, id] of IDS.entries()) {
        assert.deepEqual(await dataOf(store, id), [String(index)], id);
        assert.equal(good(await store.session(id))?.session, id);
        assert.equal(good(await store.inbox(id))[0]?.commandId, `command-${id}`);
      }
      assert.deepEqual(
        good(await store.sessions())
          .map(({ session }) => session)
          .sort(),
        [...IDS].sort(),
      );
    },
  },
  {
    name: "a name that no store can give back is refused",
    run: async ({ store, owners }) => {
      for (const id of ["", "a\ud800", "\udc00"]) {
        refused(await store.acquire(id, owners.alive, 1_000), "invalid_option");
        refused(
          await store.commit({ inbox: { put: [{ session: id, commandId: "c", payload: "1" }] } }),
          "invalid_option",
        );
        refused(await store.commit({ scratch: [{ session: id, key: "k", value: "v" }] }), "invalid_option");
      }
      refused(
        await store.commit({ inbox: { put: [{ session: "s", commandId: "", payload: "1" }] } }),
        "invalid_option",
      );
      refused(
        await store.commit({ inbox: { put: [{ session: "s", commandId: "c", payload: "\ud800" }] } }),
        "invalid_option",
      );
    },
  },
  {
    name: "an event with a broken envelope is refused",
    run: async (under) => {
      const { store } = under;
      const { token } = await hold(under, "s");
      const whole = event("1");
      const broken = [
        { ...whole, data: '"\ud83d"' },
        { ...whole, type: "" },
        { ...whole, type: "a\ud800" },
        { ...whole, version: 1.5 },
        { ...whole, version: Number.NaN },
        { ...whole, at: Number.NaN },
        { ...whole, at: Number.POSITIVE_INFINITY },
      ];
      for (const bad of broken) {
        const appends = [{ stream: "s", expectedSeq: 0, token, events: [whole, bad] }];
        refused(await store.commit({ appends }), "event_invalid");
      }
      good(await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events: [whole] }] }));
    },
  },
];
