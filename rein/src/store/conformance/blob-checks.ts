import assert from "node:assert/strict";
import { append, blobOf, good, hold, make, refused, textOfBlob } from "./helpers.ts";
import type { Check } from "./types.ts";

/** Bytes by their hash. */
export const blobChecks: readonly Check[] = [
  {
    name: "a blob is found by its hash, byte for byte, and an unknown one is null",
    run: async (under) => {
      const { store } = under;
      await make(under, "s", [["1"]]);
      const bytes = Uint8Array.from({ length: 512 }, (_, index) => index % 256);
      const blob = { ...blobOf("s", ""), bytes, hash: blobOf("s", Buffer.from(bytes).toString("utf8")).hash };
      refused(await store.commit({ blobs: [blob] }), "event_invalid");
      const { createHash } = await import("node:crypto");
      const real = { ...blob, hash: createHash("sha256").update(bytes).digest("hex") };
      good(await store.commit({ blobs: [real, blobOf("s", "")] }));
      assert.deepEqual([...(good(await store.blob(real.hash)) ?? [])], [...bytes]);
      assert.equal(good(await store.blob(blobOf("s", "").hash))?.length, 0);
      assert.equal(good(await store.blob("0".repeat(64))), null);
    },
  },
  {
    name: "the store keeps bytes of its own",
    run: async (under) => {
      const { store } = under;
      await make(under, "s", [["1"]]);
      const blob = blobOf("s", "mine");
      good(await store.commit({ blobs: [blob] }));
      blob.bytes.fill(0);
      assert.equal(await textOfBlob(store, blob.hash), "mine");
      good(await store.blob(blob.hash))?.fill(0);
      assert.equal(await textOfBlob(store, blob.hash), "mine");
    },
  },
  {
    name: "a hash in capitals or of another length is refused",
    run: async (under) => {
      await make(under, "s", [["1"]]);
      const blob = blobOf("s", "text");
      for (const hash of [blob.hash.toUpperCase(), blob.hash.slice(1), ""]) {
        refused(await under.store.commit({ blobs: [{ ...blob, hash }] }), "event_invalid");
      }
    },
  },
  {
    name: "a blob put twice is one, and lives until the last session that put it goes",
    run: async (under) => {
      const { store } = under;
      await make(under, "a", [["1"]]);
      await make(under, "b", [["1"]]);
      const blob = blobOf("a", "shared");
      good(await store.commit({ blobs: [blob, blob] }));
      good(await store.commit({ blobs: [blob, { ...blob, session: "b" }] }));
      assert.deepEqual([...good(await store.blobs("a"))], [blob.hash]);
      good(await store.remove("a"));
      assert.equal(await textOfBlob(store, blob.hash), "shared");
      good(await store.remove("b"));
      assert.equal(await textOfBlob(store, blob.hash), null);
    },
  },
  {
    name: "a fork keeps the blobs of its parent alive",
    run: async (under) => {
      const { store } = under;
      const lease = await hold(under, "p");
      const early = blobOf("p", "early");
      good(await append(store, lease, 0, ["1"], { blobs: [early] }));
      good(await store.fork("p", 1, "f"));
      good(await store.fork("f", 1, "g"));
      const late = blobOf("p", "late");
      good(await append(store, lease, 1, ["2"], { blobs: [late] }));
      assert.deepEqual([...good(await store.blobs("g"))], [early.hash]);
      good(await store.remove("p"));
      assert.equal(await textOfBlob(store, late.hash), null);
      good(await store.remove("f"));
      assert.equal(await textOfBlob(store, early.hash), "early");
      good(await store.remove("g"));
      assert.equal(await textOfBlob(store, early.hash), null);
    },
  },
  {
    name: "the blobs of a session are listed sorted, and none for an unknown one",
    run: async (under) => {
      await make(under, "s", [["1"]]);
      const blobs = ["c", "a", "b"].map((text) => blobOf("s", text));
      good(await under.store.commit({ blobs }));
      assert.deepEqual([...good(await under.store.blobs("s"))], blobs.map(({ hash }) => hash).sort());
      assert.deepEqual([...good(await under.store.blobs("nobody"))], []);
    },
  },
];
