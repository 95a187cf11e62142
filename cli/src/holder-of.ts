import type { Lease } from "rein";
import { currentOwner } from "rein/store";

/** Who holds a session: `gone` when it is a process of this machine that has ended. */
export function holderOf({ owner }: Lease): "alive" | "gone" | "elsewhere" {
  const own = currentOwner();
  if (owner.bootId !== own.bootId || owner.pidNamespace !== own.pidNamespace) return "elsewhere";
  try {
    process.kill(owner.pid, 0);
    return "alive";
  } catch (thrown) {
    // Any other reason, such as a process of another user, means that it is there.
    return thrown instanceof Error && "code" in thrown && thrown.code === "ESRCH" ? "gone" : "alive";
  }
}
