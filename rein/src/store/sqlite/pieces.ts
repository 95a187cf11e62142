/**
 * How a body is cut into rows of the table `payload`. SQLite keeps a row whole in a leaf page when it fits, so rows of half
 * a page and more leave much of each page empty (up to half of the file); small ones fill pages, and one that runs over
 * into pages of its own fills those to the last byte if it has the right length (https://sqlite.org/fileformat2.html#overflow).
 */

/** Size of a page of the database, bytes. */
export const PAGE_BYTES = 4_096;

/** The most a piece may have that shares its page with others, and the most a body may have that goes whole: three fill a page. */
const SMALL = 500;
const WHOLE = 1_340;

/** What a page holds of a row that runs over. */
const OVERFLOW = PAGE_BYTES - 4;

/** The least SQLite keeps in the leaf of a row that runs over (489), without what a row holds besides its body. */
const LOCAL = 479;

/** What the last page of its own of such a row may leave empty: an eighth. */
const SLACK = OVERFLOW / 8;

/** Lengths of the pieces of a body, in order. */
export function pieceLengths(bytes: number): readonly number[] {
  if (bytes <= WHOLE) return [bytes];
  const pages = Math.max(Math.floor((bytes - LOCAL + SLACK) / OVERFLOW), 0);
  const large = pages === 0 ? 0 : Math.min(LOCAL + pages * OVERFLOW, bytes);
  const rest = bytes - large;
  const count = Math.ceil(rest / SMALL);
  const lengths = Array.from(
    { length: count },
    (_, index) => Math.floor(((index + 1) * rest) / count) - Math.floor((index * rest) / count),
  );
  return large === 0 ? lengths : [large, ...lengths];
}
