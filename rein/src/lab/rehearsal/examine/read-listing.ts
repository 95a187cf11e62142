/** A file of a listing. */
export interface ListedFile {
  readonly path: string;
  /** Bytes. */
  readonly size: number;
}

/** What a listing shows. */
export interface Listing {
  readonly files: readonly ListedFile[];
  readonly folders: readonly string[];
  /** Entries that are neither file nor folder: links and the like. */
  readonly others: number;
  /** Something was left off because there was too much of it. */
  readonly cut: boolean;
  /** Entries that an ignore file left out. */
  readonly ignored: number;
}

const FILE = /^(?<path>.+?) {2}(?<size>\d+)$/u;
const OTHER = /^.+ {2}\((?:link|neither)\b.*\)$/u;
const IGNORED = /^\[(?<count>\d+) entr(?:y is|ies are) left out by \.gitignore\.\]$/;
const CUT =
  /^\[(?:At least )?\d+ more entr(?:y is|ies are) left out\b|^\[The result has \d+ bytes; \d+ of them are left out here\./;

/** Reads a result of the tool `list`; `under` is the folder that was listed, empty for the whole. */
export function readListing(text: string, under = ""): Listing {
  const prefix = under === "" ? "" : `${under}/`;
  const files: ListedFile[] = [];
  const folders: string[] = [];
  let others = 0;
  let ignored = 0;
  let cut = false;
  // The first line is the title.
  for (const line of text.split("\n").slice(1)) {
    const file = FILE.exec(line)?.groups;
    if (CUT.test(line)) cut = true;
    else if (file !== undefined) files.push({ path: prefix + file.path, size: Number(file.size) });
    else if (line.endsWith("/")) folders.push(prefix + line.slice(0, -1));
    else if (OTHER.test(line)) others += 1;
    else ignored += Number(IGNORED.exec(line)?.groups?.count ?? 0);
  }
  return { files, folders, others, cut, ignored };
}

/** Several listings as one. A folder that was listed by itself is not counted twice. */
export function mergeListings(listings: readonly Listing[]): Listing {
  const files = new Map(listings.flatMap((listing) => listing.files).map((file) => [file.path, file]));
  const folders = new Set(listings.flatMap((listing) => listing.folders));
  const most = (of: (listing: Listing) => number): number => Math.max(0, ...listings.map(of));
  return {
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
    folders: [...folders],
    others: most((listing) => listing.others),
    cut: listings.some((listing) => listing.cut),
    ignored: most((listing) => listing.ignored),
  };
}
