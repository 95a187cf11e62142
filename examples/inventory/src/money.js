// Money is a whole number of cents, so that sums are exact.

/** Cents of a text such as "12.30" or "7". */
export function parseMoney(text) {
  const match = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) throw new RangeError(`not an amount: ${JSON.stringify(text)}`);
  return Number(match[1]) * 100 + Number((match[2] ?? "0").padEnd(2, "0"));
}

/** Text of cents, with thousands apart: 1234567 is "12,345.67". */
export function formatMoney(cents) {
  const whole = String(Math.floor(cents / 100)).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${whole}.${String(cents % 100).padStart(2, "0")}`;
}
