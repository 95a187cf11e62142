import assert from "node:assert/strict";
import { append, dataOf, event, good, hold, make, put, refused, START, TTL } from "./helpers.ts";
import type { Check } from "./types.ts";

const YEAR = 365 * 24 * 3_600_000;

/** Who may append: tokens, expiry by the store's clock, owners that have died. */
export const leaseChecks: readonly Check[] = [
  {
    name: "a lease names its session, owner, token and end",
    run: async (under) => {
      const lease = await hold(under, "s");
      assert.equal(lease.session, "s");
      assert.equal(lease.token, 1);
      assert.deepEqual({ ...lease.owner }, { ...under.owners.alive });
      assert.equal(lease.expiresAt, START + TTL);
      good(await append(under.store, lease, 0, ["1"]));
      const seen = good(await under.store.session("s"))?.lease;
      assert.deepEqual({ ...seen, owner: { ...seen?.owner } }, { ...lease, owner: { ...lease.owner } });
    },
  },
  {
    name: "a lease that is held is refused to anybody, its owner too, and the refusal names the holder",
    run: async (under) => {
      const { store, owners } = under;
      await hold(under, "s");
      for (const owner of [owners.alive, owners.other, owners.elsewhere]) {
        const error = refused(await store.acquire("s", owner, TTL), "lease_held");
        assert.match(`${error.message} ${JSON.stringify(error.place ?? {})}`, new RegExp(`\\b${owners.alive.pid}\\b`));
      }
    },
  },
  {
    name: "leases of different sessions do not touch each other",
    run: async (under) => {
      const a = await hold(under, "a");
      const b = await hold(under, "b", under.owners.other);
      good(await append(under.store, a, 0, ["1"]));
      good(await append(under.store, b, 0, ["1"]));
      refused(await append(under.store, { ...b, token: a.token + 1 }, 1, ["2"]), "lease_lost");
    },
  },
  {
    name: "of many who want a free lease at once exactly one gets it",
    run: async ({ store, owners }) => {
      const results = await Promise.all(Array.from({ length: 8 }, () => store.acquire("s", owners.alive, TTL)));
      assert.equal(results.filter(({ ok }) => ok).length, 1);
      for (const result of results) if (!result.ok) assert.equal(result.error.code, "lease_held");
    },
  },
  {
    name: "a token grows with every taking and an older one is refused",
    run: async (under) => {
      const { store, owners } = under;
      const first = await make(under, "s", [["1"]]);
      good(await store.commit({ release: [{ session: "s", token: first.token }] }));
      const second = await hold(under, "s");
      const third = good(await store.acquire("s", owners.other, TTL, { steal: true }));
      assert.deepEqual([first.token, second.token, third.token], [1, 2, 3]);
      for (const stale of [first, second]) {
        refused(await append(store, stale, 1, ["no"]), "lease_lost");
        refused(await store.renew(stale, TTL), "lease_lost");
        refused(await store.commit({ release: [{ session: "s", token: stale.token }] }), "lease_lost");
        refused(await store.commit({ tokens: [{ session: "s", token: stale.token }] }), "lease_lost");
      }
      good(await append(store, third, 1, ["2"]));
      assert.deepEqual(await dataOf(store, "s"), ["1", "2"]);
    },
  },
  {
    name: "a holder who is behind in both token and place is told that the lease is lost",
    run: async (under) => {
      const stale = await make(under, "s", [["1"]]);
      const lease = good(await under.store.acquire("s", under.owners.other, TTL, { steal: true }));
      good(await append(under.store, lease, 1, ["2"]));
      refused(await append(under.store, stale, 1, ["no"]), "lease_lost");
    },
  },
  {
    name: "after a release nobody appends, not even who released",
    run: async (under) => {
      const { store } = under;
      const lease = await make(under, "s", [["1"]]);
      good(await append(store, lease, 1, ["2"], { release: [{ session: "s", token: lease.token }] }));
      assert.equal(good(await store.session("s"))?.lease, undefined);
      refused(await append(store, lease, 2, ["no"]), "lease_lost");
      refused(await store.renew(lease, TTL), "lease_lost");
      refused(await store.commit({ release: [{ session: "s", token: lease.token }] }), "lease_lost");
      assert.deepEqual(await dataOf(store, "s"), ["1", "2"]);
    },
  },
  {
    name: "nobody appends to a session that nobody has taken",
    run: async ({ store }) => {
      for (const token of [0, 1]) {
        refused(
          await store.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events: [event("1")] }] }),
          "lease_lost",
        );
      }
    },
  },
  {
    name: "a lease ends by the store's clock and not a millisecond sooner",
    run: async (under) => {
      const { store, owners, setTime } = under;
      await hold(under, "s", owners.elsewhere);
      setTime(START + TTL - 1);
      refused(await store.acquire("s", owners.other, TTL), "lease_held");
      setTime(START + TTL);
      assert.equal(good(await store.acquire("s", owners.other, TTL)).token, 2);
    },
  },
  {
    name: "a renewal moves the end",
    run: async (under) => {
      const { store, owners, setTime } = under;
      const lease = await hold(under, "s", owners.elsewhere);
      setTime(START + TTL - 1);
      const renewed = good(await store.renew(lease, TTL));
      assert.equal(renewed.token, lease.token);
      assert.equal(renewed.expiresAt, START + TTL - 1 + TTL);
      setTime(START + 2 * TTL - 2);
      refused(await store.acquire("s", owners.other, TTL), "lease_held");
      setTime(START + 2 * TTL - 1);
      good(await store.acquire("s", owners.other, TTL));
      refused(await store.renew(renewed, TTL), "lease_lost");
    },
  },
  {
    name: "an expired lease that nobody took is still its holder's",
    run: async (under) => {
      const { store, owners, setTime } = under;
      const lease = await hold(under, "s");
      setTime(START + YEAR);
      good(await append(store, lease, 0, ["1"]));
      const renewed = good(await store.renew(lease, TTL));
      assert.equal(renewed.expiresAt, START + YEAR + TTL);
      refused(await store.acquire("s", owners.other, TTL), "lease_held");
    },
  },
  {
    name: "an expired lease is not shown and does not keep a session from being woken",
    run: async (under) => {
      const { store, owners, setTime } = under;
      const lease = await hold(under, "s", owners.elsewhere);
      good(await append(store, lease, 0, ["1"]));
      await put(store, "s", "c");
      assert.deepEqual([...good(await store.wakeable())], []);
      setTime(START + TTL);
      assert.deepEqual([...good(await store.wakeable())], ["s"]);
      assert.equal(good(await store.session("s"))?.lease, undefined);
    },
  },
  {
    name: "a lease taken while the clock was a year ahead ends soon after the clock is set right (C-076)",
    run: async (under) => {
      const { store, owners, setTime } = under;
      setTime(START + YEAR);
      const lease = await hold(under, "s", owners.elsewhere);
      good(await append(store, lease, 0, ["1"]));
      setTime(START);
      // A store may end it at once or let it live on for its own length from now; but it must end.
      const first = await store.acquire("s", owners.other, TTL);
      if (!first.ok) refused(first, "lease_held");
      setTime(START + TTL);
      const later = first.ok ? first : await store.acquire("s", owners.other, TTL);
      const taken = good(later);
      good(await append(store, taken, 1, ["2"]));
      refused(await append(store, lease, 2, ["no"]), "lease_lost");
      assert.deepEqual(await dataOf(store, "s"), ["1", "2"]);
    },
  },
  {
    name: "a claim made while the clock was a year ahead ends soon after the clock is set right (C-076)",
    run: async ({ store, owners, setTime }) => {
      setTime(START + YEAR);
      good(await store.commit({ enqueue: [{ queue: "q", key: "k", payload: "1" }] }));
      good(await store.claim("q", owners.elsewhere, TTL));
      setTime(START);
      const first = good(await store.claim("q", owners.other, TTL));
      setTime(START + TTL);
      const job = first ?? good(await store.claim("q", owners.other, TTL));
      assert.equal(job?.key, "k");
    },
  },
  {
    name: "the lease of a dead owner in the same pid namespace is taken over at once",
    run: async (under) => {
      await hold(under, "s", under.owners.dead);
      assert.equal(good(await under.store.acquire("s", under.owners.alive, TTL)).token, 2);
    },
  },
  {
    name: "a pid that another process has now does not keep a lease (C-045)",
    run: async (under) => {
      await hold(under, "s", under.owners.reusedPid);
      assert.equal(good(await under.store.acquire("s", under.owners.alive, TTL)).token, 2);
    },
  },
  {
    name: "a lease can be stolen from a living owner",
    run: async (under) => {
      const { store, owners } = under;
      const lease = await hold(under, "s");
      const stolen = good(await store.acquire("s", owners.other, TTL, { steal: true }));
      assert.equal(stolen.token, lease.token + 1);
      assert.equal(stolen.owner.pid, owners.other.pid);
      refused(await append(store, lease, 0, ["no"]), "lease_lost");
    },
  },
  {
    name: "a time to live that makes no sense is refused",
    run: async (under) => {
      const { store, owners } = under;
      for (const ttl of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
        refused(await store.acquire("s", owners.alive, ttl), "invalid_option");
      }
      const lease = await hold(under, "s");
      refused(await store.renew(lease, Number.NaN), "invalid_option");
      assert.equal(lease.token, 1, "what was refused took no token");
    },
  },
];
