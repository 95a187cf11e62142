import { hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { createMemoryStore, openSqliteStore } from "../../store/index.ts";
import { unwrap } from "../errors.ts";
import { wrapStore } from "../testing/wrap-store.ts";
import { exportSession, importSession } from "./portable.ts";
import { EXPORT_VERSION, readLine, writeLine } from "./portable-format.ts";
import type { Commit, Owner, Store, StoredEvent } from "./store.ts";
import { verifyExport } from "./verify-export.ts";

const owner: Owner = { host: "h", bootId: "b", pidNamespace: "n", pid: 7, startTime: "1" };
const NOW = 1_800_000_000_000;

async function fill(store: Store, session: string, data: readonly string[], more: Commit = {}): Promise<number> {
  const { token } = unwrap(await store.acquire(session, owner, 1_000));
  const events = data.map((text, index) => ({
    type: `x.t${index % 3}`,
    version: (index % 2) + 1,
    at: NOW - index,
    data: text,
  }));
  for (const [index, event] of events.entries()) {
    const append = { stream: session, token, expectedSeq: index, events: [event] };
    unwrap(await store.commit(index === 0 ? { ...more, appends: [append] } : { appends: [append] }));
  }
  unwrap(await store.commit({ release: [{ session, token }] }));
  return token;
}

async function linesOf(store: Store, session: string): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const line of exportSession(store, session)) lines.push(unwrap(line));
  return lines;
}

const blobOf = (session: string, text: string) => {
  const bytes = new Uint8Array(Buffer.from(text));
  return { session, bytes, hash: hash("sha256", bytes, "hex") };
};

/** Lines of an export of a session with that many events `"event 1"` to `"event n"`. */
async function exported(events: number, blobs: readonly string[] = []): Promise<readonly string[]> {
  const store = createMemoryStore({ now: () => NOW });
  const data = Array.from({ length: events }, (_, index) => `"event ${index + 1}"`);
  await fill(store, "s", data, { blobs: blobs.map((text) => blobOf("s", text)) });
  return linesOf(store, "s");
}

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join(""), "utf8");

async function dataIn(store: Store, session: string): Promise<readonly (string | null)[]> {
  return unwrap(await store.read(session)).map(({ data }) => data);
}

const expectedData = (to: number): readonly string[] =>
  Array.from({ length: to }, (_, index) => `"event ${index + 1}"`);

describe("a session goes out and in again", () => {
  it("with the same seqs, types, versions, times, data and blobs, under its own id", async () => {
    const from = createMemoryStore({ now: () => NOW });
    await fill(from, "s", ['{"a":1.0}', "", '"é你👍\\ud800"', " 12345678901234567890 "], {
      blobs: [blobOf("s", "first blob"), blobOf("s", "")],
    });
    const head = unwrap(await from.head("s"));
    const to = createMemoryStore({ now: () => NOW + 5 });
    const imported = unwrap(await importSession(to, await linesOf(from, "s"), { owner }));
    expect(imported).toEqual({
      session: "s",
      from: "s",
      events: 4,
      erased: 0,
      blobs: 2,
      lost: 0,
      findings: [],
      head: unwrap(await to.head("s")),
    });
    const events = unwrap(await to.read("s"));
    expect(events.slice(0, 4)).toEqual(unwrap(await from.read("s")));
    expect(events.slice(4)).toEqual([
      {
        seq: 5,
        type: "session.imported",
        version: 1,
        at: NOW + 5,
        data: JSON.stringify({ from: "s", hash: head?.hash, lost: 0 }),
      },
    ]);
    expect(unwrap(await to.blobs("s"))).toEqual(unwrap(await from.blobs("s")));
    expect(Buffer.from(unwrap(await to.blob(blobOf("s", "first blob").hash)) ?? []).toString()).toBe("first blob");
    expect(unwrap(await to.verify("s")).ok).toBe(true);
    expect(unwrap(await to.session("s"))?.lease).toBeUndefined();
  });

  it("under another id, beside the one it came from", async () => {
    const store = createMemoryStore({ now: () => NOW });
    await fill(store, "s", ['"a"', '"b"']);
    const imported = unwrap(await importSession(store, await linesOf(store, "s"), { owner, as: "copy" }));
    expect([imported.session, imported.from]).toEqual(["copy", "s"]);
    expect((await dataIn(store, "copy")).slice(0, 2)).toEqual(['"a"', '"b"']);
    expect(await dataIn(store, "s")).toEqual(['"a"', '"b"']);
  });

  it("with its tombstones, and without a trace of what was erased", async () => {
    const from = createMemoryStore({ now: () => NOW });
    await fill(from, "s", ['"a"', '"top secret"', '"c"']);
    unwrap(await from.erase("s", 2));
    const lines = await linesOf(from, "s");
    const secret = hash("sha256", '"top secret"', "hex");
    expect(lines.join("")).not.toMatch(new RegExp(`top secret|${secret}`));
    const to = createMemoryStore({ now: () => NOW });
    expect(unwrap(await importSession(to, lines, { owner })).erased).toBe(1);
    expect(unwrap(await to.read("s", { to: 3 }))).toEqual(unwrap(await from.read("s")));
    expect(unwrap(await to.verify("s"))).toMatchObject({ ok: true, events: 4, erased: 1 });
  });

  it("with its tombstones at once: nothing is left to be done when the commit is", async () => {
    const from = createMemoryStore({ now: () => NOW });
    await fill(from, "s", ['"a"', '"b"', '"c"']);
    unwrap(await from.erase("s", 2));
    const store = createMemoryStore({ now: () => NOW });
    const seen: (readonly (string | null)[])[] = [];
    const to = wrapStore(store, {
      around: async (method, run) => {
        const result = await run();
        if (method === "commit" && seen.length === 0) seen.push(await dataIn(store, "s"));
        return result;
      },
    });
    unwrap(await importSession(to, await linesOf(from, "s"), { owner }));
    expect(seen[0]?.slice(0, 3)).toEqual(['"a"', null, '"c"']);
  });

  it("with the whole past of a fork", async () => {
    const store = createMemoryStore({ now: () => NOW });
    await fill(store, "p", ['"1"', '"2"', '"3"'], { blobs: [blobOf("p", "shared")] });
    unwrap(await store.fork("p", 2, "f"));
    const lines = await linesOf(store, "f");
    expect(readLine((lines[0] ?? "").trimEnd())).toMatchObject({
      kind: "head",
      head: { session: "f", head: { seq: 2 }, forkedFrom: { session: "p", seq: 2 }, blobs: 1 },
    });
    unwrap(await store.remove("p"));
    const to = createMemoryStore({ now: () => NOW });
    unwrap(await importSession(to, lines, { owner }));
    expect((await dataIn(to, "f")).slice(0, 2)).toEqual(['"1"', '"2"']);
  });

  it("byte for byte, whatever the data is and however the file comes in", async () => {
    const data = fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.json()), { minLength: 1, maxLength: 150 });
    await fc.assert(
      fc.asyncProperty(data, fc.infiniteStream(fc.integer({ min: 1, max: 200 })), async (texts, sizes) => {
        const store = createMemoryStore({ now: () => NOW });
        await fill(store, "s", texts);
        const bytes = bytesOf(await linesOf(store, "s"));
        const pieces = function* () {
          for (let start = 0; start < bytes.length; ) {
            const size = sizes.next().value;
            yield bytes.subarray(start, start + size);
            start += size;
          }
        };
        expect(unwrap(await importSession(store, pieces(), { owner, as: "copy" })).findings).toEqual([]);
        expect((await dataIn(store, "copy")).slice(0, -1)).toEqual(texts);
      }),
      { numRuns: 40 },
    );
  });

  it("the same whether lines end as on Windows, with blank lines and without the last newline", async () => {
    const lines = await exported(3, ["blob"]);
    const changed = `\n${lines.join("").replaceAll("\n", "\r\n\r\n").trimEnd()}`;
    const store = createMemoryStore({ now: () => NOW });
    expect(unwrap(await importSession(store, [changed], { owner }))).toMatchObject({
      events: 3,
      blobs: 1,
      findings: [],
    });
  });

  it("the same twice: an export does not depend on when it is made", async () => {
    expect((await exported(3)).slice(1, -1)).toEqual((await exported(3)).slice(1, -1));
  });
});

describe("a session goes from one kind of store into another and back", () => {
  it("and is the same", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rein-portable-"));
    folders.push(folder);
    const first = createMemoryStore({ now: () => NOW });
    const data = Array.from({ length: 500 }, (_, index) => JSON.stringify({ index, text: "é\u0000".repeat(index) }));
    await fill(first, "s", data, { blobs: [blobOf("s", "one"), blobOf("s", "two")] });
    for (const seq of [1, 250, 500]) unwrap(await first.erase("s", seq));
    const second = unwrap(await openSqliteStore({ path: join(folder, "store.db") }));
    const third = createMemoryStore({ now: () => NOW });
    expect(unwrap(await importSession(second, await linesOf(first, "s"), { owner }))).toMatchObject({
      events: 500,
      erased: 3,
    });
    expect(unwrap(await importSession(third, await linesOf(second, "s"), { owner }))).toMatchObject({
      events: 501,
      erased: 3,
    });
    expect(unwrap(await third.read("s", { to: 500 }))).toEqual(unwrap(await first.read("s")));
    expect(unwrap(await third.read("s", { to: 501 }))).toEqual(unwrap(await second.read("s")));
    expect(unwrap(await third.blobs("s"))).toEqual(unwrap(await first.blobs("s")));
    expect(unwrap(await second.verify("s"))).toMatchObject({ ok: true, events: 501, erased: 3 });
    unwrap(await second.close());
  });
});

describe("a session is not imported", () => {
  it("over one that is there", async () => {
    const store = createMemoryStore({ now: () => NOW });
    await fill(store, "s", ['"mine"']);
    const result = await importSession(store, await exported(3), { owner });
    expect(result).toMatchObject({ ok: false, error: { code: "session_exists" } });
    expect(await dataIn(store, "s")).toEqual(['"mine"']);
  });

  it("from a newer version of the format, from another format, from another file", async () => {
    const store = createMemoryStore({ now: () => NOW });
    const digested = (body: string): string => `${body},"digest":"${hash("sha256", body, "hex")}"}\n`;
    const newer = digested(`{"format":"rein-session","version":${EXPORT_VERSION + 1}`);
    expect(await importSession(store, [newer], { owner })).toMatchObject({
      ok: false,
      error: { code: "version_unknown" },
    });
    const other = digested('{"format":"other","version":1');
    for (const text of [other, "# notes\n\n- one\n", "\u0000\u0001", '{"type":"user"}\n{"type":"assistant"}\n']) {
      for (const salvage of [false, true]) {
        const result = await importSession(store, [text], { owner, as: "x", salvage });
        expect(result).toMatchObject({ ok: false, error: { code: "import_invalid" } });
      }
    }
    expect(unwrap(await store.sessions())).toEqual([]);
  });

  it("in part when the store refuses it", async () => {
    const store = createMemoryStore({ now: () => NOW });
    const event = { seq: 2, type: "x", version: 1, at: NOW, data: '"\ud800"' };
    const [first = "", ...rest] = await exported(1);
    const head = readLine(first.trimEnd());
    if (head?.kind !== "head") throw new Error("no head");
    const lines = [
      writeLine({ kind: "head", head: { ...head.head, head: { seq: 2, hash: "0".repeat(64) } } }),
      ...rest.slice(0, 1),
    ];
    lines.push(writeLine({ kind: "event", event }));
    const result = await importSession(store, lines, { owner });
    expect(result).toMatchObject({ ok: false, error: { code: "event_invalid" } });
    expect(unwrap(await store.session("s"))).toBeNull();
    expect(unwrap(await store.acquire("s", owner, 1_000)).token).toBe(2);
  });

  it("from a source that fails on the way", async () => {
    const [head = ""] = await exported(2);
    const source = async function* () {
      yield head;
      throw new Error("the disk is gone");
    };
    const result = await importSession(createMemoryStore(), source(), { owner });
    expect(result).toMatchObject({ ok: false, error: { code: "import_invalid", message: "the disk is gone" } });
  });

  it("while another process holds its id", async () => {
    const store = createMemoryStore({ now: () => NOW });
    unwrap(await store.acquire("s", owner, 1_000));
    expect(await importSession(store, await exported(2), { owner })).toMatchObject({
      ok: false,
      error: { code: "lease_held" },
    });
  });
});

describe("an export says when the session is not there or changes under it", () => {
  it("with an unknown session", async () => {
    const results = [];
    for await (const line of exportSession(createMemoryStore(), "nobody")) results.push(line);
    expect(results).toMatchObject([{ ok: false, error: { code: "session_unknown" } }]);
  });

  it("with a blob that is erased meanwhile", async () => {
    const store = createMemoryStore({ now: () => NOW });
    const blob = blobOf("s", "secret");
    await fill(store, "s", ['"a"'], { blobs: [blob] });
    const codes: string[] = [];
    for await (const line of exportSession(store, "s")) {
      codes.push(line.ok ? "line" : line.error.code);
      if (codes.length === 1) unwrap(await store.erase("s", 1, { blobs: [blob.hash] }));
    }
    expect(codes).toEqual(["line", "line", "conflict"]);
  });

  it("holds the events up to where it began, though others come meanwhile", async () => {
    const store = createMemoryStore({ now: () => NOW });
    await fill(store, "s", ['"a"', '"b"']);
    const lines: string[] = [];
    for await (const line of exportSession(store, "s")) {
      lines.push(unwrap(line));
      if (lines.length > 1) continue;
      const { token } = unwrap(await store.acquire("s", owner, 1_000));
      const events = [{ type: "x", version: 1, at: NOW, data: '"late"' }];
      unwrap(
        await store.commit({
          appends: [{ stream: "s", token, expectedSeq: 2, events }],
          release: [{ session: "s", token }],
        }),
      );
    }
    expect(unwrap(await verifyExport(lines))).toMatchObject({ ok: true, events: 2, findings: [] });
  });
});

describe("a torn file (family C)", () => {
  it("C-011: the last line is cut after 17 bytes: 40 events are loaded and the loss of one is said", async () => {
    const lines = await exported(41);
    const bytes = bytesOf([...lines.slice(0, 41), (lines[41] ?? "").slice(0, 17)]);
    const store = createMemoryStore({ now: () => NOW });
    const imported = unwrap(await importSession(store, [bytes], { owner }));
    expect(imported).toMatchObject({ events: 40, lost: 1 });
    expect(imported.findings).toEqual([
      { kind: "loss", message: "The file is cut in line 42: event 41 lost.", from: 41, to: 41, place: { line: 42 } },
    ]);
    expect((await dataIn(store, "s")).slice(0, -1)).toEqual(expectedData(40));
  });

  it("C-013: a cut line followed by a newline and blank lines is the same", async () => {
    const lines = await exported(41);
    const text = `${lines.slice(0, 41).join("")}${(lines[41] ?? "").slice(0, 17)}\n\n  \n`;
    const imported = unwrap(await importSession(createMemoryStore({ now: () => NOW }), [text], { owner }));
    expect(imported).toMatchObject({ events: 40, lost: 1, findings: [{ kind: "loss", place: { line: 42 } }] });
  });

  it("C-015: event 12 of 30 is not JSON: refused with its line; salvaged up to a report; the file is untouched", async () => {
    const folder = await mkdtemp(join(tmpdir(), "rein-portable-"));
    folders.push(folder);
    const path = join(folder, "s.jsonl");
    const lines = [...(await exported(30))];
    lines[12] = `{"seq":12,"type":"x.t2" ...torn\n`;
    const bytes = bytesOf(lines);
    await writeFile(path, bytes);
    const store = createMemoryStore({ now: () => NOW });
    const refused = await importSession(store, createReadStream(path), { owner });
    expect(refused).toMatchObject({ ok: false, error: { code: "import_invalid", place: { line: 13 } } });
    expect(unwrap(await store.sessions())).toEqual([]);

    const imported = unwrap(await importSession(store, createReadStream(path), { owner, salvage: true }));
    expect(imported).toMatchObject({ events: 29, lost: 1 });
    expect(imported.findings).toEqual([
      {
        kind: "damage",
        message: "Line 13 is not what was written: event 12 lost.",
        from: 12,
        to: 12,
        place: { line: 13 },
      },
    ]);
    const events = unwrap(await store.read("s"));
    expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: 31 }, (_, index) => index + 1));
    const whole = expectedData(30);
    expect(events.filter(({ seq }) => seq !== 12 && seq < 31).map(({ data }) => data)).toEqual(
      whole.filter((_, index) => index !== 11),
    );
    expect(events[11]).toMatchObject({ seq: 12, type: "notice.added" });
    expect(JSON.parse(events[11]?.data ?? "")).toEqual({
      kind: "import_gap",
      text:
        "Events 12 to 12 of this session were lost when its file was damaged. " +
        "What was said and done in them is unknown: check before you rely on it.",
    });
    expect(JSON.parse(events[30]?.data ?? "")).toMatchObject({ from: "s", lost: 1 });
    expect(unwrap(await store.verify("s")).ok).toBe(true);
    expect(await readFile(path)).toEqual(bytes);
  });

  it("C-017: the byte 0x80 inside one record: the others load", async () => {
    const lines = await exported(5);
    const bytes = bytesOf(lines);
    const place = bytes.indexOf("event 3");
    bytes[place] = 0x80;
    const store = createMemoryStore({ now: () => NOW });
    const refused = await importSession(store, [bytes], { owner });
    expect(refused).toMatchObject({ ok: false, error: { code: "import_invalid", place: { line: 4 } } });
    const imported = unwrap(await importSession(store, [bytes], { owner, salvage: true }));
    expect(imported.findings).toEqual([
      {
        kind: "damage",
        message: "Line 4 holds bytes that are no UTF-8: event 3 lost.",
        from: 3,
        to: 3,
        place: { line: 4 },
      },
    ]);
    expect((await dataIn(store, "s")).filter((_, index) => index !== 2).slice(0, 4)).toEqual(
      expectedData(5).filter((_, index) => index !== 2),
    );
  });

  it("C-020: an empty file is said to be empty, and nothing takes the session's place", async () => {
    const store = createMemoryStore({ now: () => NOW });
    for (const text of ["", "\n", "\n \n\r\n"]) {
      for (const salvage of [false, true]) {
        const result = await importSession(store, [text], { owner, as: "s", salvage });
        expect(result).toMatchObject({ ok: false, error: { code: "import_invalid", message: "The file is empty." } });
        expect(result.ok ? "" : result.error.hint).toMatch(/older export/);
      }
    }
    expect(await verifyExport([])).toMatchObject({ ok: false, error: { code: "import_invalid" } });
    expect(unwrap(await store.sessions())).toEqual([]);
  });

  it("a file with its first line alone holds no session", async () => {
    const [head = ""] = await exported(3);
    const result = await importSession(createMemoryStore(), [head], { owner, salvage: true });
    expect(result).toMatchObject({
      ok: false,
      error: { code: "import_invalid", message: "The file holds no event: not one line of an event is whole." },
    });
  });
});

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

describe("a damaged file is placed", () => {
  /** What stands in the findings when lines were changed. */
  async function findingsOf(change: (lines: string[]) => readonly string[]): Promise<readonly string[]> {
    const lines = change([...(await exported(5, ["one", "two"]))]);
    return unwrap(await verifyExport(lines)).findings.map(({ kind, message }) => `${kind}: ${message}`);
  }
  const spoil = (line = ""): string => line.replace('"at":', '"at" :');

  it("nothing wrong", async () => {
    expect(await findingsOf((lines) => lines)).toEqual([]);
  });

  it("a line taken out", async () => {
    expect(await findingsOf((lines) => lines.toSpliced(2, 2))).toEqual([
      "damage: Lines were taken out before line 3: events 2 to 3 lost.",
    ]);
  });

  it("several lines changed", async () => {
    expect(await findingsOf((lines) => lines.with(2, spoil(lines[2])).with(3, spoil(lines[3])))).toEqual([
      "damage: Line 3 is not what was written: events 2 to 3 lost.",
      "damage: Line 4 is not what was written.",
    ]);
  });

  it("the last event changed though the file is closed", async () => {
    expect(await findingsOf((lines) => lines.with(5, spoil(lines[5])))).toEqual([
      "damage: Line 6 is not what was written: event 5 lost.",
    ]);
  });

  it("the last events taken out though the file is closed", async () => {
    expect(await findingsOf((lines) => lines.toSpliced(4, 2))).toEqual([
      "damage: Lines were taken out before line 7: events 4 to 5 lost.",
    ]);
  });

  it("lines twice, and in another order", async () => {
    expect(await findingsOf((lines) => lines.toSpliced(3, 0, lines[2] ?? ""))).toEqual([
      "damage: Line 4 holds event 2, which does not follow event 2.",
    ]);
    expect(await findingsOf((lines) => lines.with(2, lines[3] ?? "").with(3, lines[2] ?? ""))).toEqual([
      "damage: Lines were taken out before line 3: event 2 lost.",
      "damage: Line 4 holds event 2, which does not follow event 3.",
    ]);
  });

  it("a whole line of another session in the place of one", async () => {
    const event = { seq: 3, type: "x.t2", version: 1, at: NOW, data: '"forged"' };
    expect(await findingsOf((lines) => lines.with(3, writeLine({ kind: "event", event })))).toEqual([
      "damage: The lines before line 9 are not those that it closes.",
    ]);
  });

  it("a seq out of all measure", async () => {
    const event = { seq: 4_000_000_000, type: "x", version: 1, at: NOW, data: "1" };
    expect(await findingsOf((lines) => lines.with(3, writeLine({ kind: "event", event })))).toEqual([
      "damage: Line 4 holds event 4000000000, which does not follow event 2: event 3 lost.",
    ]);
  });

  it("the first line changed or taken out", async () => {
    expect(await findingsOf((lines) => lines.with(0, (lines[0] ?? "").replace("rein", "bein")))).toEqual([
      "damage: Line 1 is not what was written.",
    ]);
    expect(await findingsOf((lines) => lines.slice(1))).toEqual(["damage: The first line was taken out."]);
  });

  it("a blob changed, and taken out", async () => {
    expect(await findingsOf((lines) => lines.with(6, spoil(lines[6]).replace("base64", "base65")))).toEqual([
      "damage: Line 7 is not what was written.",
      "damage: 1 of 2 blobs are missing.",
    ]);
    expect(await findingsOf((lines) => lines.toSpliced(7, 1))).toEqual(["damage: 1 of 2 blobs are missing."]);
  });

  it("lines behind the closing line", async () => {
    expect(await findingsOf((lines) => [...lines, "more\n", lines[1] ?? ""])).toEqual([
      "damage: Line 10 is not what was written.",
      "damage: Line 11 stands behind the closing line.",
    ]);
  });

  it("cut between two lines, in the blobs, and in the closing line", async () => {
    expect(await findingsOf((lines) => lines.slice(0, 4))).toEqual([
      "loss: The file ends behind line 4, without its closing line: events 4 to 5 and 2 blobs lost.",
    ]);
    expect(await findingsOf((lines) => lines.slice(0, 7))).toEqual([
      "loss: The file ends behind line 7, without its closing line: 1 blobs lost.",
    ]);
    expect(await findingsOf((lines) => lines.with(8, (lines[8] ?? "").slice(0, 30)))).toEqual([
      "notice: The file is cut in line 9; all that comes before is there.",
    ]);
  });

  it("salvaged though the first line is damaged, under an id of one's own", async () => {
    const lines = (await exported(3)).with(0, "{\n");
    const store = createMemoryStore({ now: () => NOW });
    const nameless = await importSession(store, lines, { owner, salvage: true });
    expect(nameless).toMatchObject({ ok: false, error: { code: "import_invalid", place: { line: 1 } } });
    const imported = unwrap(await importSession(store, lines, { owner, salvage: true, as: "mine" }));
    expect(imported).toMatchObject({
      session: "mine",
      from: null,
      events: 3,
      lost: 0,
      findings: [{ place: { line: 1 } }],
    });
    expect((await dataIn(store, "mine")).slice(0, 3)).toEqual(expectedData(3));
  });

  it("salvaged with several events missing in a row: one notice, and the seqs stay", async () => {
    const lines = (await exported(6)).toSpliced(2, 3);
    const store = createMemoryStore({ now: () => NOW });
    expect(unwrap(await importSession(store, lines, { owner, salvage: true }))).toMatchObject({ events: 3, lost: 3 });
    expect(unwrap(await store.read("s")).map(({ seq, type }) => `${seq} ${type}`)).toEqual([
      "1 x.t0",
      "2 notice.added",
      "3 x.lost",
      "4 x.lost",
      "5 x.t1",
      "6 x.t2",
      "7 session.imported",
    ]);
  });
});

/** Checks that a harmed file never passes for a whole one, and that nothing false comes in. */
async function neverSilent(whole: readonly StoredEvent[], bytes: Buffer, what: string): Promise<void> {
  const store = createMemoryStore({ now: () => NOW });
  const imported = await importSession(store, [bytes], { owner, as: "s", salvage: true });
  const checked = await verifyExport([bytes]);
  if (!imported.ok || !checked.ok) {
    expect([imported.ok, checked.ok], what).toEqual([false, false]);
    expect(unwrap(await store.sessions()), what).toEqual([]);
    return;
  }
  const events = unwrap(await store.read("s")).slice(0, -1);
  const kept = events.filter(({ type }) => type !== "notice.added" && type !== "x.lost");
  expect(kept, what).toEqual(kept.map(({ seq }) => whole[seq - 1]));
  expect(imported.value.findings, what).not.toEqual([]);
  expect(checked.value.findings, what).toEqual(imported.value.findings);
  const { head } = checked.value;
  if (kept.length < whole.length) expect(checked.value.ok, what).toBe(false);
  if (kept.length < whole.length && head !== null) expect(imported.value.lost, what).toBe(whole.length - kept.length);
}

describe("no cut and no changed bit of a file is silent", () => {
  async function small(): Promise<{ readonly whole: readonly StoredEvent[]; readonly bytes: Buffer }> {
    const store = createMemoryStore({ now: () => NOW });
    await fill(store, "s", ['"é1"', '"2"', '"3"'], { blobs: [blobOf("s", "b")] });
    unwrap(await store.erase("s", 2));
    return { whole: unwrap(await store.read("s")), bytes: bytesOf(await linesOf(store, "s")) };
  }

  it("cut at every byte", async () => {
    const { whole, bytes } = await small();
    // Without its last newline the file is whole.
    for (let length = 0; length < bytes.length - 1; length += 1) {
      await neverSilent(whole, bytes.subarray(0, length), `cut at ${length} of ${bytes.length}`);
    }
  });

  it("with one bit changed in every byte", async () => {
    const { whole, bytes } = await small();
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(bytes.readUInt8(place) ^ (1 << (place % 8)), place);
      await neverSilent(whole, changed, `bit ${place % 8} of byte ${place}`);
    }
  });
});

it("an event that is never erased, and is a tombstone in the file, is refused, and salvaged as what says nothing", async () => {
  const from = createMemoryStore({ now: () => NOW });
  const { token } = unwrap(await from.acquire("s", owner, 60_000));
  const events = ["x.note", "tool.started"].map((type) => ({ type, version: 1, at: NOW, data: "{}" }));
  unwrap(await from.commit({ appends: [{ stream: "s", expectedSeq: 0, token, events }] }));
  // What a store gives that does not keep to the rule.
  const lawless = wrapStore(from, {
    around: async (method, run) => {
      const result = await run();
      if (method !== "read" || !result.ok || !Array.isArray(result.value)) return result;
      const erased = result.value.map((event) => (event.seq === 2 ? { ...event, data: null } : event));
      return { ...result, value: erased } as typeof result;
    },
  });
  const lines = await linesOf(lawless, "s");
  const to = createMemoryStore({ now: () => NOW });
  expect(await importSession(to, lines, { owner })).toMatchObject({
    ok: false,
    error: { code: "import_invalid", place: { seq: 2 } },
  });
  expect(unwrap(await to.sessions())).toEqual([]);
  unwrap(await importSession(to, lines, { owner, salvage: true }));
  expect((await dataIn(to, "s")).slice(0, 2)).toEqual(["{}", "null"]);
  expect(unwrap(await to.verify()).ok).toBe(true);
});
