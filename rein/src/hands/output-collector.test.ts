import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputCollector } from "./output-collector.ts";

function collect(most: number, chunks: readonly Uint8Array[]): OutputCollector {
  const collector = new OutputCollector(most);
  for (const chunk of chunks) collector.push(Buffer.from(chunk));
  return collector;
}

describe("text", () => {
  it("is all of it as long as it fits", () => {
    expect(collect(10, [Buffer.from("01234"), Buffer.from("56789")]).text()).toBe("0123456789");
    expect(collect(10, []).text()).toBe("");
  });

  it("is head and tail when it does not, with the number of bytes between", () => {
    const collector = collect(10, [Buffer.from("01234567"), Buffer.from("89abcdef"), Buffer.from("g")]);
    expect(collector.text()).toBe("01234\n[... 7 bytes left out ...]\ncdefg");
    expect(collector.bytes).toBe(17);
  });

  it("cuts no character in two", () => {
    const text = "é漢🙂".repeat(20);
    const cut = collect(31, [Buffer.from(text)]).text();
    expect(cut.isWellFormed()).toBe(true);
    expect(cut).not.toContain("\ufffd");
    expect(cut).toBe("é漢🙂é漢\n[... 153 bytes left out ...]\n🙂é漢🙂");
  });

  it("makes other bytes well-formed and keeps a byte order mark", () => {
    expect(collect(100, [Uint8Array.of(0xff, 0x41, 0, 0xc3)]).text()).toBe("\ufffdA\0\ufffd");
    expect(collect(100, [Uint8Array.of(0xef, 0xbb, 0xbf, 0x41)]).text()).toBe("\ufeffA");
  });

  it("keeps nothing when nothing is to be kept", () => {
    expect(collect(0, [Buffer.from("abc")]).text()).toBe("\n[... 3 bytes left out ...]\n");
  });

  it("holds the first and the last bytes, whatever the chunks", () => {
    const chunks = fc.array(fc.uint8Array({ max: 127, maxLength: 30 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, fc.nat(60), (pieces, most) => {
        const all = Buffer.concat(pieces);
        const collector = collect(most, pieces);
        const head = Math.ceil(most / 2);
        const tail = Math.floor(most / 2);
        const cut = `${all.subarray(0, head)}\n[... ${all.length - most} bytes left out ...]\n${all.subarray(all.length - tail)}`;
        expect(collector.text()).toBe(all.length <= most ? all.toString() : cut);
        expect(collector.bytes).toBe(all.length);
      }),
    );
  });
});

it("gives live text with whole characters", () => {
  const collector = new OutputCollector(100);
  const bytes = Buffer.from("a🙂b");
  expect([...bytes].map((byte) => collector.live(Buffer.of(byte)))).toEqual(["a", "", "", "", "🙂", "b"]);
  expect(collector.live(bytes.subarray(1, 3))).toBe("");
  expect(collector.liveEnd()).toBe("\ufffd");
});
