/** Holds the write lock of the database named by its argument until its input ends. */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

const db = new DatabaseSync(process.argv[2] ?? "");
db.exec("BEGIN IMMEDIATE");
process.stdout.write("locked\n");
process.stdin.resume();
await once(process.stdin, "end");
db.exec("ROLLBACK");
db.close();
