import type { Connection } from "./connection.ts";
import { numberOf, textOf } from "./values.ts";

/** The types of events by their number in the table `kind`, which only grows. */
export class Kinds {
  readonly #connection: Connection;
  readonly #ids = new Map<string, number>();
  readonly #names = new Map<number, string>();

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The number of a type, as far as it was met before. */
  known(name: string): number | undefined {
    return this.#ids.get(name);
  }

  /** The number of a type; a new one is added, so this belongs in a write. */
  idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    // Another process may have added some: all are read again, they are few.
    for (const row of this.#connection.sql("SELECT id, name FROM kind").all())
      this.#ids.set(textOf(row, "name"), numberOf(row, "id"));
    const found = this.#ids.get(name);
    if (found !== undefined) return found;
    const added = this.#connection.sql("INSERT INTO kind (name) VALUES (?) RETURNING id").get(name);
    const id = added === undefined ? 0 : numberOf(added, "id");
    this.#ids.set(name, id);
    return id;
  }

  /** The type of a number; undefined when there is none. */
  nameOf(id: number): string | undefined {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const row = this.#connection.sql("SELECT name FROM kind WHERE id = ?").get(id);
    if (row === undefined) return undefined;
    const name = textOf(row, "name");
    this.#names.set(id, name);
    return name;
  }

  /** Forgets what it learnt: a write was undone, and with it perhaps a number it added. */
  forget(): void {
    this.#ids.clear();
    this.#names.clear();
  }
}
