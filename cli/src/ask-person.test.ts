import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Person } from "./ask-person.ts";

function terminal() {
  const input = new PassThrough();
  const output = new PassThrough().setEncoding("utf8");
  return { input, output, person: new Person(input, output), signal: new AbortController().signal };
}

test.each([
  ["y", true],
  ["Yes", true],
  ["n", false],
  ["No", false],
  ["", false],
  ["yellow\ny", true],
  ["nope\n", false],
  ["a\nb\nc\ny", false],
])("the answer %j", async (answer, yes) => {
  const { input, output, person, signal } = terminal();
  const asked = person.ask("Sure? ", signal);
  const questions: unknown[] = [];
  const lines = answer.split("\n").slice(0, 3);
  for (const line of lines) {
    await new Promise((resolve) => output.once("readable", resolve));
    questions.push(output.read());
    input.write(`${line}\n`);
  }
  expect(questions).toEqual(["Sure? ", ...lines.slice(1).map(() => "Please answer y or n: ")]);
  expect(await asked).toBe(yes);
  person.close();
});

test("questions wait for each other, and one that is settled elsewhere goes away", async () => {
  const { input, person, signal } = terminal();
  const settled = new AbortController();
  const first = person.ask("First? ", settled.signal);
  const second = person.ask("Second? ", signal);
  setImmediate(() => settled.abort());
  expect(await first).toBe(null);
  input.write("y\n");
  expect(await second).toBe(true);
  person.close();
});

test("the end of the input is no", async () => {
  const { input, person, signal } = terminal();
  const asked = person.ask("Sure? ", signal);
  input.end();
  expect(await asked).toBe(false);
});
