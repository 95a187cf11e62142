import { readFile } from "node:fs/promises";
import { parseRecords } from "./csv.js";
import { itemOf } from "./item.js";

/** All items of a CSV file. */
export async function loadItems(path) {
  const items = parseRecords(await readFile(path, "utf8")).map(itemOf);
  const seen = new Set();
  for (const { sku } of items) {
    if (seen.has(sku)) throw new Error(`SKU ${sku} stands twice in ${path}`);
    seen.add(sku);
  }
  return items;
}

/** Items, pieces and value of each category, sorted by value. */
export function summarize(items) {
  const categories = new Map();
  for (const item of items) {
    const sum = categories.get(item.category) ?? { category: item.category, items: 0, pieces: 0, value: 0 };
    sum.items += 1;
    sum.pieces += item.quantity;
    sum.value += item.quantity * item.price;
    categories.set(item.category, sum);
  }
  return [...categories.values()].sort((a, b) => b.value - a.value);
}
