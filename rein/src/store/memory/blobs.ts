import { hash } from "node:crypto";
import { fail, ok, type Result } from "../../core/errors.ts";

interface Blob {
  readonly bytes: Uint8Array;
  sessions: number;
}

/** Bytes by their hash, kept for as long as a session refers to them. */
export class Blobs {
  readonly blobs = new Map<string, Blob>();
  readonly #sessions = new Map<string, Set<string>>();

  add(session: string, blobHash: string, bytes: Uint8Array): void {
    const refs = this.#refsOf(session);
    if (refs.has(blobHash)) return;
    refs.add(blobHash);
    const blob = this.blobs.get(blobHash);
    // A copy: the caller may go on writing into its own bytes.
    if (blob === undefined) this.blobs.set(blobHash, { bytes: new Uint8Array(bytes), sessions: 1 });
    else blob.sessions += 1;
  }

  /** A fork refers to what its parent refers to. */
  share(parent: string, child: string): void {
    for (const blobHash of this.#sessions.get(parent) ?? []) {
      const blob = this.blobs.get(blobHash);
      if (blob !== undefined) this.add(child, blobHash, blob.bytes);
    }
  }

  /** A copy of the bytes, checked against their hash. */
  get(blobHash: string): Result<Uint8Array | null> {
    const blob = this.blobs.get(blobHash);
    if (blob === undefined) return ok(null);
    if (hash("sha256", blob.bytes, "hex") !== blobHash) {
      return fail(
        "store_damaged",
        `The bytes of blob ${blobHash} have changed.`,
        "Take it from an export or a backup.",
        {
          place: { blob: blobHash },
        },
      );
    }
    return ok(new Uint8Array(blob.bytes));
  }

  list(session: string): readonly string[] {
    return [...(this.#sessions.get(session) ?? [])].sort();
  }

  drop(session: string, blobHash: string): void {
    if (!this.#sessions.get(session)?.delete(blobHash)) return;
    const blob = this.blobs.get(blobHash);
    if (blob === undefined) return;
    blob.sessions -= 1;
    if (blob.sessions === 0) this.blobs.delete(blobHash);
  }

  /** Drops all that a session refers to; false when that is nothing. */
  dropAll(session: string): boolean {
    for (const blobHash of this.list(session)) this.drop(session, blobHash);
    return this.#sessions.delete(session);
  }

  #refsOf(session: string): Set<string> {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const refs = new Set<string>();
    this.#sessions.set(session, refs);
    return refs;
  }
}
