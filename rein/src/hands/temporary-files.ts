import { createHash } from "node:crypto";
import { opendir, rm } from "node:fs/promises";
import type { Clock, ProcessIdentity } from "../core/ports.ts";
import { type OpenFolder, statOf } from "./open-folder.ts";
import { systemCode } from "./path-error.ts";

/** No write takes so long: what is older was left by a process of an earlier boot or of another pid namespace. Milliseconds. */
const A_DAY = 24 * 60 * 60 * 1_000;

/**
 * The files that writes make beside their target. Who made one stands in its name, so that what a killed process left is known: the
 * first write of this process into a folder takes it away.
 */
export class TemporaryFiles {
  readonly #clock: Pick<Clock, "now" | "id">;
  readonly #place: string;
  readonly #swept = new Set<string>();

  constructor(
    { bootId, pidNamespace }: Pick<ProcessIdentity, "bootId" | "pidNamespace">,
    clock: Pick<Clock, "now" | "id">,
  ) {
    this.#clock = clock;
    // Where a pid means something: in this boot and this namespace.
    this.#place = createHash("sha256").update(`${bootId} ${pidNamespace}`).digest("hex").slice(0, 8);
  }

  /** A name that no other write has. */
  newName(): string {
    return `.rein-${this.#place}-${process.pid}-${this.#clock.id()}.tmp`;
  }

  /** Removes what killed writes left in a folder, once. `real` is its path. */
  async sweep(real: string, folder: OpenFolder): Promise<void> {
    if (this.#swept.has(real)) return;
    this.#swept.add(real);
    try {
      for await (const { name } of await opendir(folder.at("."))) {
        if (await this.#isLeft(name, folder)) await rm(folder.at(name), { force: true });
      }
    } catch (thrown) {
      // What cannot be listed or removed is no reason not to write; any other fault than the system's is one of ours.
      if (systemCode(thrown) === null) throw thrown;
    }
  }

  async #isLeft(name: string, folder: OpenFolder): Promise<boolean> {
    const [, place, pid] = /^\.rein-([0-9a-f]{8})-(\d+)-[\w-]+\.tmp$/.exec(name) ?? [];
    if (place === undefined || pid === undefined) return false;
    if (place === this.#place) return !isAlive(Number(pid));
    const stat = await statOf(folder.at(name));
    return stat?.isFile() === true && this.#clock.now() - stat.mtimeMs > A_DAY;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (thrown) {
    return systemCode(thrown) !== "ESRCH";
  }
}
