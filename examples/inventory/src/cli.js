#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { loadItems, summarize } from "./inventory.js";
import { formatMoney } from "./money.js";
import { planOrders } from "./reorder.js";
import { findItems } from "./search.js";

const data = (name) => fileURLToPath(new URL(`../data/${name}`, import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { file: { type: "string", default: data("items.csv") } },
});
const [command, ...words] = positionals;

const commands = {
  async summary() {
    const rows = summarize(await loadItems(values.file));
    for (const row of rows) {
      console.log(`${row.category.padEnd(14)}${String(row.items).padStart(6)}${formatMoney(row.value).padStart(14)}`);
    }
    const total = rows.reduce((sum, row) => sum + row.value, 0);
    console.log(`${"total".padEnd(20)}${formatMoney(total).padStart(14)}`);
  },

  async find() {
    for (const item of findItems(await loadItems(values.file), words.join(" "))) {
      console.log(`${item.sku}  ${item.location}  ${String(item.quantity).padStart(5)}  ${item.name}`);
    }
  },

  async reorder() {
    const suppliers = JSON.parse(await readFile(data("suppliers.json"), "utf8"));
    for (const order of planOrders(await loadItems(values.file))) {
      console.log(`${suppliers[order.supplier]?.name ?? order.supplier}: ${formatMoney(order.cost)}`);
      for (const line of order.lines) console.log(`  ${line.sku}  ${String(line.quantity).padStart(5)}  ${line.name}`);
    }
  },
};

if (!Object.hasOwn(commands, command ?? "")) {
  console.error("usage: inventory summary | find WORDS | reorder  [--file PATH]");
  process.exitCode = 2;
} else {
  await commands[command]();
}
