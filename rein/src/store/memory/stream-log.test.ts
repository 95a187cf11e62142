import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { StreamLog } from "./stream-log.ts";

const salts = (size: number): Buffer => Buffer.alloc(size, 7);
const event = (data: string) => ({ type: "t", version: 1, at: 5, data });
const sha = (...parts: readonly (string | Buffer)[]): Buffer =>
  Buffer.from(hash("sha256", Buffer.concat(parts.map((part) => Buffer.from(part))), "hex"), "hex");
const digest = (data: string): Buffer => sha(Buffer.alloc(16, 7), data);

describe("StreamLog", () => {
  it("chains as the port says, and a fork continues the hash of the append that holds its seq", () => {
    const parent = new StreamLog("p", null, 0, salts);
    parent.append([event('"1"')]);
    parent.append([event('"2"'), event('"3"')]);
    const fork = new StreamLog("f", parent, 2, salts);
    fork.append([event('"f3"')]);
    const first = sha(Buffer.alloc(32), '["p",1,[["t",1,5]]]', sha(digest('"1"')));
    const second = sha(first, '["p",2,[["t",1,5],["t",1,5]]]', sha(digest('"2"'), digest('"3"')));
    const own = sha(second, '["f",3,[["t",1,5]]]', sha(digest('"f3"')));
    expect(parent.hashAt(1)).toBe(first.toString("hex"));
    expect(parent.head()).toEqual({ seq: 3, hash: second.toString("hex") });
    expect(fork.hashAt(1)).toBe(first.toString("hex"));
    expect(fork.hashAt(2)).toBe(second.toString("hex"));
    expect(fork.head()).toEqual({ seq: 3, hash: own.toString("hex") });
  });

  it("keeps the hash and forgets text and salt of what is erased", () => {
    const log = new StreamLog("p", null, 0, salts);
    log.append([event('"1"'), event('"2"')]);
    const { hash: before } = log.head();
    expect(log.erase(2)).toBe(true);
    expect(log.erase(2)).toBe(false);
    expect(log.read(1, 2).map(({ data }) => data)).toEqual(['"1"', null]);
    expect(log.hashAt(2)).toBe(before);
    expect(log.check(1, 2)).toEqual([]);
  });

  it("keeps of a removed parent only what living forks read", () => {
    const parent = new StreamLog("p", null, 0);
    for (const data of ["1", "2", "3"]) parent.append([event(data), event(`${data}+`)]);
    const early = new StreamLog("e", parent, 1);
    const late = new StreamLog("l", parent, 3);
    parent.remove();
    expect(parent.events.map(({ data }) => data)).toEqual(["1", "1+", "2", "2+"]);
    late.remove();
    expect(parent.events.map(({ data }) => data)).toEqual(["1", "1+"]);
    expect(early.read(1, 1).map(({ data }) => data)).toEqual(["1"]);
    early.remove();
    expect(parent.events).toEqual([]);
  });

  it("notices a number that was changed, which the chain does not cover", () => {
    const log = new StreamLog("p", null, 0);
    log.append([event("1"), event("2")]);
    log.seal();
    const [first] = log.events;
    if (first !== undefined) log.events[0] = { ...first, seq: 9 };
    expect(log.check(1, 2)).toMatchObject([{ kind: "damage", from: 1, to: 2, place: { append: 1 } }]);
  });

  it("reads through a thousand forks of forks", () => {
    let log = new StreamLog("0", null, 0);
    log.append([event("0")]);
    for (let depth = 1; depth <= 1_000; depth += 1) {
      log = new StreamLog(String(depth), log, depth);
      log.append([event(String(depth))]);
    }
    expect(log.read(1, 1_001).map(({ seq, data }) => `${seq - 1}${data}`)).toEqual(
      Array.from({ length: 1_001 }, (_, index) => `${index}${index}`),
    );
    expect(log.head().seq).toBe(1_001);
    expect(log.check(1, 1_001)).toEqual([]);
  });
});
