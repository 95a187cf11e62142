import { own } from "../../../core/json.ts";
import { LANGUAGE_OF_EXTENSION, LANGUAGE_OF_NAME } from "./languages.data.ts";
import { baseName, extensionOf } from "./paths.ts";
import type { ListedFile } from "./read-listing.ts";

/** Files and bytes of one language. */
export interface LanguageShare {
  readonly language: string;
  readonly files: number;
  readonly bytes: number;
}

/** Shares by language, told by names and extensions alone; the largest first. What is not known is counted as `other`. */
export function languagesOf(files: readonly ListedFile[]): readonly LanguageShare[] {
  const shares = new Map<string, LanguageShare>();
  for (const { path, size } of files) {
    const language = own(LANGUAGE_OF_NAME, baseName(path)) ?? own(LANGUAGE_OF_EXTENSION, extensionOf(path)) ?? "other";
    const { files: count, bytes } = shares.get(language) ?? { files: 0, bytes: 0 };
    shares.set(language, { language, files: count + 1, bytes: bytes + size });
  }
  return [...shares.values()].sort((a, b) => b.bytes - a.bytes || (a.language < b.language ? -1 : 1));
}
