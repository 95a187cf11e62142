import { tool, unwrap } from "rein";
import { openSqliteStore } from "rein/store";
import { expect, test } from "vitest";
import { prefixFaults, requestFaults } from "../shared/request-faults.ts";
import { resultsOf, Scene } from "./scene.ts";

/** A NUL byte and both halves of a broken pair. Case C-072. */
const ODD = "a\0b \ud800 c \udc00 d";

const echo = tool({
  name: "echo",
  description: "Gives its text back.",
  access: "public",
  input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
  effects: () => [],
  readOnly: () => true,
  run: ({ text }) => text,
});

test("NUL bytes and lone surrogates in inputs, messages, arguments and results never spoil a request", async () => {
  const made = new Scene();
  const first = await made.run(
    [
      { text: ODD, thinking: ODD, calls: [{ name: "echo", input: { text: ODD } }] },
      { calls: [{ name: ODD, input: { [ODD]: ODD } }] },
      { text: ODD },
    ],
    { input: ODD, tools: [echo] },
  );
  expect(first.result.reason).toBe("done");
  const [echoed] = resultsOf(first.model);
  expect(echoed?.end).toBe("ok");
  // Replaced by a stated rule and with a note, so that nobody takes it for what was really there.
  expect(echoed?.text).toMatch(/^a\ufffdb \ufffd c \ufffd d|^a.?b/);
  expect(echoed?.text).toMatch(/NUL/);

  const second = await made.run([{ text: "Still well." }], { tools: [echo], input: "And now?" });
  const requests = [...first.model.requests, ...second.model.requests];
  expect(requests).toHaveLength(4);
  expect(requests.flatMap(requestFaults)).toEqual([]);
  expect(prefixFaults(requests)).toEqual([]);
  for (const request of requests) {
    const bytes = Buffer.from(JSON.stringify(request), "utf8");
    expect(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes))).toEqual(request);
  }
  expect(second.result.text).toBe("Still well.");
});

test("the log keeps what came, and verifies", async () => {
  const made = new Scene();
  await made.run([{ text: ODD }], { input: ODD });
  const { events } = await made.log();
  expect(events.find(({ type }) => type === "input.received")?.data.content).toEqual([{ type: "text", text: ODD }]);
  expect(events.find(({ type }) => type === "model.responded")?.data.content).toEqual([{ type: "text", text: ODD }]);
  const store = unwrap(await openSqliteStore({ path: made.path, readOnly: true }));
  expect(unwrap(await store.verify())).toMatchObject({ ok: true, findings: [] });
  unwrap(await store.close());
});
