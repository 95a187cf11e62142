/** The rooms of an agent, each loaded when first needed and joined here. */

import { processEnvironment } from "./agent-environment.ts";
import { type AgentOptions, wrongNumber } from "./agent-options.ts";
import { kernelPart, kernelRules, settingsFault } from "./core/brain/index.ts";
import { fail, ok, type Result } from "./core/errors.ts";
import { createPermitOffice } from "./core/permit.ts";
import type { Clock, Hands, Redact } from "./core/ports.ts";
import { type Composition, compose, type Owner, type SettingsChange, type Store } from "./core/session/index.ts";
import type { UngrantedCall } from "./guard/index.ts";
import { loadTools } from "./tools/index.ts";

/** Everything a session is driven with. */
export interface Rooms {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly hands: Hands;
  readonly owner: Owner;
  /** Whether the process that holds a lease lives, as far as this one can know. */
  readonly livenessOf: (owner: Owner) => "alive" | "dead" | "unknown";
  /** The narrowest rules under which a call runs unasked. */
  readonly rulesFor: (call: UngrantedCall) => Promise<readonly string[]>;
  /** Whether a change of settings can be meant: its shape, and that each rule can be read and names a tool that there is. */
  readonly checkChange: (change: SettingsChange) => Result<void>;
}

/** Opens the store and joins the rooms. */
export async function openRooms(options: AgentOptions, clock: Clock): Promise<Result<Rooms>> {
  const [
    { checkRules, createGuard, createRedact, suggestRules },
    { createPlainHands, resolvePath },
    tools,
    { createContext },
    stores,
  ] = await Promise.all([
    import("./guard/index.ts"),
    import("./hands/index.ts"),
    loadTools(),
    import("./context/index.ts"),
    import("./store/index.ts"),
  ]);
  const fit = fitForHere(options);
  if (!fit.ok) return fit;
  const names = [...tools.builtinTools, ...(options.tools ?? [])].map((tool) => tool.name);
  const checkChange: Rooms["checkChange"] = (change) => {
    const fault = settingsFault(change);
    if (fault !== null) return fail("invalid_option", fault, "Give only what the settings of a session have.");
    return change.rules === undefined ? ok(undefined) : checkRules(change.rules, { names, nearest: tools.nearestName });
  };
  const { limits, allow = [], deny = [] } = options;
  const checked = checkChange({ rules: { allow, deny }, ...(limits !== undefined && { limits }) });
  if (!checked.ok) return checked;
  const wrong = wrongNumber(options);
  if (wrong !== null)
    return fail("invalid_option", `${wrong} is no whole number from 1 on.`, "Give one, or leave it out.");
  const owner = stores.currentOwner();
  const env = options.env ?? processEnvironment.env();
  const office = createPermitOffice();
  const redact = options.redact ?? createRedact({ env });
  const hands = options.hands ?? createPlainHands({ office, clock, env, host: owner });
  const guard = options.guard ?? createGuard({ office, resolvePath, home: processEnvironment.home() });
  const builtin =
    options.builtin === undefined ? ok(tools.builtinTools) : namedTools(tools.builtinTools, options.builtin);
  if (!builtin.ok) return builtin;
  const pipeline = tools.createTools({
    tools: options.tools ?? [],
    builtin: builtin.value,
    guard,
    hands,
    redact,
    clock,
  });
  if (!pipeline.ok) return pipeline;
  const store = await openStore(options.store, stores);
  if (!store.ok) return store;
  const context = options.context ?? createContext({ redact, platform: processEnvironment.platform() });
  const kernel = kernelPart(
    {
      model: options.model,
      tools: pipeline.value,
      context,
      redact,
      hands,
      ...(options.measures !== undefined && { measures: options.measures }),
      ...(options.maxOutput !== undefined && { maxOutput: options.maxOutput }),
    },
    (hash) => store.value.blob(hash),
  );
  const composition = compose([kernel, ...(options.parts ?? [])], options.rules ?? kernelRules);
  if (!composition.ok) {
    if (store.value !== options.store) await store.value.close();
    return composition;
  }
  const { livenessOf } = stores;
  return ok({
    store: store.value,
    composition: composition.value,
    clock,
    redact,
    hands,
    owner,
    livenessOf,
    rulesFor: (call) => suggestRules(call, { resolvePath, home: processEnvironment.home() }),
    checkChange,
  });
}

/** Paths, process groups and signals are those of POSIX: on Windows a check of a path would let through what it should stop. */
function fitForHere({ guard, hands }: AgentOptions): Result<void> {
  if (processEnvironment.platform() !== "win32" || (guard !== undefined && hands !== undefined)) return ok(undefined);
  return fail(
    "invalid_option",
    "The gate and the hands that Rein brings do not work on Windows: they need the paths and processes of POSIX.",
    "Run it in WSL, or give `guard` and `hands` of your own.",
  );
}

async function openStore(
  store: AgentOptions["store"],
  stores: typeof import("./store/index.ts"),
): Promise<Result<Store>> {
  if (store === undefined) return ok(stores.createMemoryStore());
  return "path" in store ? stores.openSqliteStore({ path: store.path }) : ok(store);
}

function namedTools<T extends { readonly name: string }>(
  all: readonly T[],
  names: readonly string[],
): Result<readonly T[]> {
  const unknown = names.find((name) => !all.some((tool) => tool.name === name));
  if (unknown === undefined) return ok(all.filter((tool) => names.includes(tool.name)));
  return fail(
    "invalid_option",
    `There is no built-in tool "${unknown}".`,
    `Built-in tools: ${all.map((tool) => tool.name).join(", ")}.`,
  );
}
