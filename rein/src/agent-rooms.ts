/** The rooms of an agent, each loaded when first needed and joined here. */

import { processEnvironment } from "./agent-environment.ts";
import type { AgentOptions } from "./agent-options.ts";
import { kernelPart, kernelRules } from "./core/brain/index.ts";
import { fail, ok, type Result } from "./core/errors.ts";
import { createPermitOffice } from "./core/permit.ts";
import type { Clock, Hands, Redact } from "./core/ports.ts";
import { type Composition, compose, type Owner, type SessionSettings, type Store } from "./core/session/index.ts";
import { loadTools } from "./tools/index.ts";

/** Everything a session is driven with. */
export interface Rooms {
  readonly store: Store;
  readonly composition: Composition;
  readonly clock: Clock;
  readonly redact: Redact;
  readonly hands: Hands;
  readonly owner: Owner;
  /** Whether each rule can be read; a rule that could not be read would silently allow nothing. */
  readonly checkRules: (rules: SessionSettings["rules"]) => Result<void>;
}

/** Opens the store and joins the rooms. */
export async function openRooms(options: AgentOptions, clock: Clock): Promise<Result<Rooms>> {
  const [
    { createGuard, createRedact, parseRule },
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
  const checkRules: Rooms["checkRules"] = ({ allow, deny }) => {
    const unreadable = [...allow, ...deny].map(parseRule).find((rule) => !rule.ok);
    return unreadable?.ok === false ? unreadable : ok(undefined);
  };
  const readable = checkRules({ allow: options.allow ?? [], deny: options.deny ?? [] });
  if (!readable.ok) return readable;
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
  return ok({ store: store.value, composition: composition.value, clock, redact, hands, owner, checkRules });
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
