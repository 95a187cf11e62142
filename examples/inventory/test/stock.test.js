import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { loadItems, summarize } from "../src/inventory.js";
import { findItems } from "../src/search.js";

const shipped = fileURLToPath(new URL("../data/items.csv", import.meta.url));

test("the shipped stock loads and every item has a place", async () => {
  const items = await loadItems(shipped);
  assert.equal(items.length, 2800);
  for (const item of items) assert.match(item.location, /^[A-H]-\d\d-\d\d$/);
});

test("a summary adds up pieces and value, the dearest category first", () => {
  const items = [
    { category: "bolts", quantity: 100, price: 5 },
    { category: "tools", quantity: 2, price: 1999 },
    { category: "bolts", quantity: 10, price: 20 },
  ];
  assert.deepEqual(summarize(items), [
    { category: "tools", items: 1, pieces: 2, value: 3998 },
    { category: "bolts", items: 2, pieces: 110, value: 700 },
  ]);
});

const shelf = [
  { sku: "BO-00001", name: "Hex bolt M8" },
  { sku: "TL-00007", name: "Clé à molette" },
  { sku: "TL-00008", name: "螺丝刀 PH2" },
];
const skus = (query) => findItems(shelf, query).map((item) => item.sku);

test("all words must match, in any order and case", () => {
  assert.deepEqual(skus("m8 HEX"), ["BO-00001"]);
  assert.deepEqual(skus("hex m9"), []);
});

test("accents do not matter, and other scripts work", () => {
  assert.deepEqual(skus("cle a"), ["TL-00007"]);
  assert.deepEqual(skus("螺丝"), ["TL-00008"]);
});

test("an empty query finds nothing", () => {
  assert.deepEqual(skus("  "), []);
});
