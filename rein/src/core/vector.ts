/**
 * An append-only list as a value. `push` shares the storage with the list it came from, so growing a history by one costs one;
 * only a second push onto the same older value copies.
 */
export class Vector<T> implements Iterable<T> {
  readonly length: number;
  readonly #items: T[];

  private constructor(items: T[], length: number) {
    this.#items = items;
    this.length = length;
  }

  /** A list of these items. */
  static of<T>(items: readonly T[] = []): Vector<T> {
    return new Vector([...items], items.length);
  }

  /** This list and one more item. */
  push(item: T): Vector<T> {
    const items = this.#items.length === this.length ? this.#items : this.#items.slice(0, this.length);
    items.push(item);
    return new Vector(items, items.length);
  }

  /** The item at a place; negative counts from the end. */
  at(index: number): T | undefined {
    const place = index < 0 ? this.length + index : index;
    return place < this.length ? this.#items[place] : undefined;
  }

  /** The items from `start` on, as an array. */
  slice(start: number): readonly T[] {
    return this.#items.slice(start, this.length);
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index += 1) {
      const item = this.#items[index];
      if (item !== undefined) yield item;
    }
  }

  /** As a plain array, for JSON and comparison. */
  toJSON(): readonly T[] {
    return this.slice(0);
  }
}
