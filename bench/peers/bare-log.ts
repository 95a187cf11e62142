import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { BareLog } from "./bare-loop.ts";

/** Bytes of the events that Rein commits in one turn: before a request, and after its answer. */
export interface TurnBytes {
  readonly request: number;
  readonly answer: number;
}

/** A log of one insert a commit, in a WAL with `synchronous = NORMAL`; each row is filled up to the bytes that Rein writes there. */
export function openBareLog(folder: string, bytes: TurnBytes): { readonly write: BareLog; readonly close: () => void } {
  const db = new DatabaseSync(join(folder, "bare.db"));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  db.exec("CREATE TABLE log (id INTEGER PRIMARY KEY, body BLOB NOT NULL)");
  const insert = db.prepare("INSERT INTO log (body) VALUES (?)");
  const filler = "x".repeat(Math.max(bytes.request, bytes.answer));
  return {
    write: (intoRequest, text) => {
      const size = intoRequest ? bytes.request : bytes.answer;
      insert.run(Buffer.from(text + filler.slice(0, Math.max(size - text.length, 0)), "utf8"));
    },
    close: () => db.close(),
  };
}
