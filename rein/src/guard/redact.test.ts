import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../core/json.ts";
import { createRedact } from "./redact.ts";

const KEY = 'sk-ant-abc/+"é0123456789';
const redact = createRedact({ env: { API_KEY: KEY, OTHER_TOKEN: "tok-abcdefgh", PATH: "/usr/bin" } });

describe("text", () => {
  it("replaces a secret by its mark, each time", () => {
    expect(redact.text(`curl -H 'x: ${KEY}' tok-abcdefgh${KEY}`)).toBe(
      "curl -H 'x: [secret:API_KEY]' [secret:OTHER_TOKEN][secret:API_KEY]",
    );
  });

  it("finds it as JSON, percent-encoded, and in base64 wherever it begins", () => {
    expect(redact.text(JSON.stringify({ key: KEY }))).toBe('{"key":"[secret:API_KEY]"}');
    expect(redact.text(`?key=${encodeURIComponent(KEY)}&q=cat`)).toBe("?key=[secret:API_KEY]&q=cat");
    expect(redact.text(`?key=${new URLSearchParams({ k: KEY }).get("k")}`)).toBe("?key=[secret:API_KEY]");
    for (const before of ["", "u:", "user:", "someone:"]) {
      for (const encoding of ["base64", "base64url"] as const) {
        const encoded = Buffer.from(before + KEY).toString(encoding);
        const redacted = redact.text(`Basic ${encoded}`);
        expect(redacted).toContain("[secret:API_KEY]");
        expect(redacted.replace("[secret:API_KEY]", "").length, "what may be left of it").toBeLessThan(
          6 + before.length * 2 + 8,
        );
      }
    }
  });

  it("leaves text without a secret as it is", () => {
    for (const text of [
      "",
      "sk-ant-abc",
      "[secret:API_KEY]",
      "The authorization of the plan took two days.",
      "\ud800 \0",
    ]) {
      expect(redact.text(text)).toBe(text);
    }
  });

  it("takes the longer of two that start alike", () => {
    const both = createRedact({ env: { A_TOKEN: "abcdefgh", B_TOKEN: "abcdefghij" } });
    expect(both.text("abcdefghij abcdefghi")).toBe("[secret:B_TOKEN] [secret:A_TOKEN]i");
  });

  it("takes characters of patterns as they are", () => {
    const odd = createRedact({ env: { A_TOKEN: "a.c*[x](y)$^|\\?+{2}-/" } });
    expect(odd.text("a.c*[x](y)$^|\\?+{2}-/ abc*[x](y)$^|\\?+{2}-/")).toBe("[secret:A_TOKEN] abc*[x](y)$^|\\?+{2}-/");
  });

  it("takes extra secrets, and makes names fit into a mark", () => {
    const more = createRedact({ env: {}, extra: { "my key]": "hunter2", tiny: "abc" } });
    expect(more.text("hunter2 abc")).toBe("[secret:my_key_] abc");
  });
});

describe("value", () => {
  it("replaces in all strings, keys included", () => {
    expect(redact.value({ a: [KEY, 1, null, { [KEY]: `x${KEY}` }], b: true })).toEqual({
      a: ["[secret:API_KEY]", 1, null, { "[secret:API_KEY]": "x[secret:API_KEY]" }],
      b: true,
    });
  });

  it("gives the same object back when nothing was found", () => {
    const value: JsonValue = { a: [1, "x", { b: null }], c: "d" };
    expect(redact.value(value)).toBe(value);
  });

  it("loses no member when two keys become the same", () => {
    const value = redact.value({ [KEY]: 1, [encodeURIComponent(KEY)]: 2 });
    expect(value).toEqual({ "[secret:API_KEY]": 1, "[secret:API_KEY]#2": 2 });
  });

  it("keeps a member that is called __proto__", () => {
    const value: JsonValue = JSON.parse(`{"__proto__":{"x":"tok-abcdefgh"}}`);
    expect(JSON.stringify(redact.value(value))).toBe('{"__proto__":{"x":"[secret:OTHER_TOKEN]"}}');
  });
});

describe("marks", () => {
  it("names the marks of a text, each once", () => {
    expect(redact.marks("a [secret:B] [secret:A_1] [secret:B] [secret:] [secret:x y]")).toEqual(["B", "A_1"]);
    expect(redact.marks("none")).toEqual([]);
  });
});

describe("with no secret known", () => {
  const idle = createRedact({ env: { PATH: "/usr/bin" } });

  it("does nothing and says so", () => {
    const value = { a: "b" };
    expect(idle.active).toBe(false);
    expect(redact.active).toBe(true);
    expect(idle.text("x")).toBe("x");
    expect(idle.value(value)).toBe(value);
    const stream = idle.stream();
    expect([stream.push("x"), stream.flush()]).toEqual(["x", ""]);
    expect(idle.marks("[secret:A]")).toEqual(["A"]);
  });
});

describe("stream", () => {
  it("holds back no more than what may be the start of a secret", () => {
    const stream = redact.stream();
    expect(stream.push("hello tok-")).toBe("hello ");
    expect(stream.push("abcd")).toBe("");
    expect(stream.push("x and sk-ant")).toBe("tok-abcdx and ");
    expect(stream.flush()).toBe("sk-ant");
    expect(stream.push("tok-abcdefgh!")).toBe("[secret:OTHER_TOKEN]!");
    expect(stream.flush()).toBe("");
  });

  it("gives the same for any split as the whole text", () => {
    // Few letters and secrets that overlap, repeat and start alike: the hard cases come often.
    const env = { A_TOKEN: "abababab", B_TOKEN: "ababababba", C_TOKEN: "babaabab", D_TOKEN: "aabbaabbaab" };
    const filter = createRedact({ env });
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 60 });
    const planted = fc
      .array(fc.oneof(text, fc.constantFrom(...Object.values(env))), { maxLength: 8 })
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(planted, fc.array(fc.nat(12), { maxLength: 100 }), (whole, lengths) => {
        const stream = filter.stream();
        let out = "";
        let at = 0;
        for (const length of lengths) {
          out += stream.push(whole.slice(at, at + length));
          at += length;
        }
        out += stream.push(whole.slice(at)) + stream.flush();
        expect(out).toBe(filter.text(whole));
      }),
      { numRuns: 2_000 },
    );
  });

  it("shows no secret, whatever surrounds it", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(redact.text(before + KEY + after)).not.toContain(KEY);
      }),
    );
  });
});
