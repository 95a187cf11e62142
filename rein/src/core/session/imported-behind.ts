import { ok, type Result } from "../errors.ts";
import type { KernelEvents } from "./kernel-events.ts";
import type { Store } from "./store.ts";

/** Events read from the store at a time. */
const PAGE = 256;

/**
 * Whether what took the permissions of a foreign file away stands behind an event of a session: then a fork at that event must not
 * bring them back. True as well where what stands behind it cannot be read or is gone.
 */
export async function importedBehind(store: Store, session: string, seq: number): Promise<Result<boolean>> {
  for (let from = seq + 1; ; from += PAGE) {
    const page = await store.read(session, { from, limit: PAGE });
    if (!page.ok) {
      const { code } = page.error;
      return code === "store_damaged" || code === "session_unknown" ? ok(true) : page;
    }
    if (page.value.some(({ type, data }) => takesAllow(type, data))) return ok(true);
    if (page.value.length < PAGE) return ok(false);
  }
}

function takesAllow(type: string, data: string | null): boolean {
  if (type === "session.imported") return true;
  if (type !== "session.forked" || data === null) return false;
  const forked: Partial<KernelEvents["session.forked"]> | null = JSON.parse(data);
  return forked?.imported === true;
}
