/** Whether an item has to be ordered again. Level 0 means that it is not kept in stock on purpose. */
export function isDue(item) {
  return item.reorderLevel > 0 && item.quantity < item.reorderLevel;
}

/** How many pieces to order: up to twice the level, at least one. */
export function orderQuantity(item) {
  return Math.max(1, item.reorderLevel * 2 - item.quantity);
}

/** Orders by supplier, the dearest first. */
export function planOrders(items) {
  const orders = new Map();
  for (const item of items.filter(isDue)) {
    const order = orders.get(item.supplier) ?? { supplier: item.supplier, lines: [], cost: 0 };
    const quantity = orderQuantity(item);
    order.lines.push({ sku: item.sku, name: item.name, quantity });
    order.cost += quantity * item.price;
    orders.set(item.supplier, order);
  }
  // TODO: round quantities up to the packs that a supplier sells.
  return [...orders.values()].sort((a, b) => b.cost - a.cost);
}
