// A note keeper with two tools of its own. The model is a script, so that it runs with no key and no network.
import { createAgent, createScriptedModel, tool } from "rein";

const notes: string[] = [];
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;

const save = tool({
  name: "save",
  description: "Keeps a note.",
  access: "public",
  input: text,
  effects: () => [{ kind: "state", what: "notes" }],
  run: (input) => `Kept as note ${notes.push(input.text)}.`,
});
const find = tool({
  name: "find",
  description: "Finds the notes that hold a text.",
  access: "public",
  input: text,
  effects: () => [],
  readOnly: () => true,
  run: (input) => notes.filter((note) => note.includes(input.text)).join("\n") || "No such note.",
});

const model = createScriptedModel([
  { calls: ["Buy milk", "Call Ann", "Milk the cow"].map((note) => ({ name: "save", input: { text: note } })) },
  { text: "Three are kept. Looking for milk.", calls: [{ name: "find", input: { text: "ilk" } }] },
  ({ messages }) => ({ text: `About milk: ${JSON.stringify(messages.at(-1)?.content)}` }),
]);

const agent = createAgent({ model, builtin: [], tools: [save, find] });
const { text: answer, reason } = await agent.complete("Keep my notes, then tell me about milk.");
console.log(answer);
await agent.close();
if (reason !== "done" || !answer.includes("Buy milk\\nMilk the cow")) process.exitCode = 1;
