import { fstatSync, writeFileSync } from "node:fs";
import { Writable } from "node:stream";

/**
 * The standard output of this process. Where it is a file, all of each text is written or there is an error: Node's own stream takes
 * no notice of a write that a full disk cut short.
 */
export function standardOutput(stdout: NodeJS.WriteStream & { readonly fd: number }): NodeJS.WritableStream {
  const { fd } = stdout;
  if (stdout.isTTY || !fstatSync(fd).isFile()) return stdout;
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => {
      try {
        writeFileSync(fd, chunk);
      } catch (thrown) {
        done(thrown instanceof Error ? thrown : new Error(String(thrown)));
        return;
      }
      done();
    },
  });
}
