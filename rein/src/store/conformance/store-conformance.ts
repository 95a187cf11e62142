import { blobChecks } from "./blob-checks.ts";
import { commitChecks } from "./commit-checks.ts";
import { eraseChecks } from "./erase-checks.ts";
import { forkChecks } from "./fork-checks.ts";
import { START } from "./helpers.ts";
import { inboxChecks } from "./inbox-checks.ts";
import { reopenChecks, sharedChecks } from "./lasting-checks.ts";
import { leaseChecks } from "./lease-checks.ts";
import { ledgerChecks } from "./ledger-checks.ts";
import { modelCheck } from "./model-check.ts";
import { oddDataChecks } from "./odd-data-checks.ts";
import { readingChecks } from "./reading-checks.ts";
import { rowChecks } from "./row-checks.ts";
import type { Check, ConformanceOptions, StoreCheck, StoreUnderTest } from "./types.ts";
import { tamperChecks, verifyChecks } from "./verify-checks.ts";

/**
 * The checks that any implementation of the store port must pass, for any test runner. Each makes a store of its own with
 * `make` and throws an `AssertionError` when the store fails.
 *
 * ```ts
 * import { test } from "node:test";
 * import { storeConformance } from "rein/store-conformance";
 *
 * for (const check of storeConformance(makeMyStore)) test(check.name, check.run);
 * ```
 *
 * What only some stores can do (be opened again, be opened twice, be harmed behind their back) is checked when
 * `options` gives the means. One check compares the store with a model and needs the package `fast-check`.
 */
export function storeConformance(
  make: () => Promise<StoreUnderTest>,
  options: ConformanceOptions = {},
): readonly StoreCheck[] {
  const groups: readonly (readonly [string, readonly Check[]])[] = [
    ["commit", commitChecks],
    ["lease", leaseChecks],
    ["inbox", inboxChecks],
    ["ledger", ledgerChecks],
    ["reading", readingChecks],
    ["fork", forkChecks],
    ["erase", eraseChecks],
    ["blob", blobChecks],
    ["rows", rowChecks],
    ["odd data", oddDataChecks],
    ["verify", verifyChecks],
    ["harm", options.tamper === undefined ? [] : tamperChecks(options.tamper)],
    ["opened again", options.reopen === undefined ? [] : reopenChecks(options.reopen)],
    ["opened twice", options.second === undefined ? [] : sharedChecks(options.second)],
  ];
  const checks = groups.flatMap(([group, members]) =>
    members.map((check) => ({ name: `${group}: ${check.name}`, run: () => runOn(make, check) })),
  );
  const model = modelCheck(make, options);
  return [...checks, { name: `model: ${model.name}`, run: model.run }];
}

async function runOn(make: () => Promise<StoreUnderTest>, check: Check): Promise<void> {
  const under = await make();
  try {
    under.setTime(START);
    await check.run(under);
  } finally {
    await under.store.close();
    await under.dispose();
  }
}
