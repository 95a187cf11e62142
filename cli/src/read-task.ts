import { isUtf8 } from "node:buffer";
import { fail, ok, type Result } from "rein";

/** Bytes of a task from standard input. */
const MOST_BYTES = 10 * 1024 * 1024;

const HINTS = {
  task: 'Say what is to be done: rein run "Examine this folder".',
  message: 'Say something: rein send SESSION steer "Mind the tests".',
} as const;

/** The task, or message, as it was given, or what standard input holds when it is `-`. Refuses what is no text, and an empty one. */
export async function readTask(
  given: string,
  input: NodeJS.ReadStream,
  name: keyof typeof HINTS = "task",
): Promise<Result<string>> {
  const refuse = (what: string, advice: string) => fail("invalid_option", `The ${name} ${what}.`, advice);
  const checked = (text: string): Result<string> => {
    if (text.trim() === "") return refuse("is empty", HINTS[name]);
    if (text.includes("\0")) return refuse("holds a NUL character", "Give it as text.");
    return ok(text);
  };
  if (given !== "-") {
    // Node has put this in the place of each byte of an argument that was no UTF-8.
    return given.includes("\ufffd")
      ? refuse("holds bytes that are no UTF-8", "Give it by standard input, as -.")
      : checked(given);
  }
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of input) {
    const bytes: Buffer = typeof piece === "string" ? Buffer.from(piece) : piece;
    size += bytes.length;
    if (size > MOST_BYTES) return refuse(`is longer than ${MOST_BYTES} bytes`, "Put it into a file and name the file.");
    pieces.push(bytes);
  }
  const bytes = Buffer.concat(pieces);
  return isUtf8(bytes) ? checked(bytes.toString("utf8")) : refuse("holds bytes that are no UTF-8", "Give it as text.");
}
