import { parseMoney } from "./money.js";

/** An item of a record as it stands in the CSV file. */
export function itemOf(record) {
  return {
    sku: record.sku,
    name: record.name,
    category: record.category,
    quantity: wholeNumber(record.quantity, "quantity"),
    reorderLevel: wholeNumber(record.reorder_level, "reorder_level"),
    price: parseMoney(record.price),
    supplier: record.supplier,
    location: record.location,
  };
}

function wholeNumber(text, column) {
  // FIXME: a negative quantity (more sold than counted) should be reported, not refused.
  if (!/^\d+$/.test(text)) throw new RangeError(`${column} is not a whole number: ${JSON.stringify(text)}`);
  return Number(text);
}
