import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRecords, parseRows } from "../src/csv.js";
import { formatMoney, parseMoney } from "../src/money.js";

test("plain rows, with either kind of line end", () => {
  assert.deepEqual(parseRows("a,b\n1,2\r\n3,\n"), [["a", "b"], ["1", "2"], ["3", ""]]);
});

test("quoted fields hold commas, quotes and line breaks", () => {
  assert.deepEqual(parseRows('"a,b","say ""hi""","two\nlines"\n'), [["a,b", 'say "hi"', "two\nlines"]]);
});

test("a field that is not closed is an error", () => {
  assert.throws(() => parseRows('"a,b\n'), SyntaxError);
});

test("records are named by the header, and a short row is named by its line", () => {
  assert.deepEqual(parseRecords("sku,name\nBO-1,bolt\n"), [{ sku: "BO-1", name: "bolt" }]);
  assert.throws(() => parseRecords("sku,name\nBO-1\n"), /line 2 has 1 fields/);
});

test("amounts with no, one and two decimals", () => {
  assert.equal(parseMoney("7"), 700);
  assert.equal(parseMoney("7.5"), 750);
  assert.equal(parseMoney("12.30"), 1230);
});

test("a text that is no amount is refused", () => {
  for (const text of ["", "1.234", "-1", "1,50", "ten"]) assert.throws(() => parseMoney(text), RangeError);
});

test("thousands are set apart", () => {
  assert.equal(formatMoney(5), "0.05");
  assert.equal(formatMoney(99999), "999.99");
  assert.equal(formatMoney(1234567), "12,345.67");
});
