import assert from "node:assert/strict";
import { test } from "node:test";
import { isDue, orderQuantity, planOrders } from "../src/reorder.js";

const item = (quantity, reorderLevel, more = {}) => ({
  sku: "BO-00001",
  name: "hex bolt M8",
  quantity,
  reorderLevel,
  price: 12,
  supplier: "nordfix",
  ...more,
});

test("an item below its level is due", () => {
  assert.equal(isDue(item(4, 10)), true);
  assert.equal(isDue(item(11, 10)), false);
});

test("an item exactly at its level is due", () => {
  assert.equal(isDue(item(10, 10)), true);
});

test("an item with level 0 is never due", () => {
  assert.equal(isDue(item(0, 0)), false);
});

test("an order brings the stock up to twice the level", () => {
  assert.equal(orderQuantity(item(4, 10)), 16);
  assert.equal(orderQuantity(item(20, 10)), 1);
});

test("orders are grouped by supplier, the dearest first", () => {
  const orders = planOrders([item(1, 2), item(0, 5, { supplier: "kappa", price: 300 }), item(9, 2)]);
  assert.deepEqual(
    orders.map((order) => [order.supplier, order.lines.length, order.cost]),
    [["kappa", 1, 3000], ["nordfix", 1, 36]],
  );
});
