/** Spellings by their characters, for text that comes in pieces. */
export interface Trie {
  readonly next: Map<number, Trie>;
  /** What replaces the spelling that ends here. */
  mark: string | null;
}

/** Builds the trie of spellings and their marks. */
export function trieOf(spellings: ReadonlyMap<string, string>): Trie {
  const root: Trie = { next: new Map(), mark: null };
  for (const [spelling, mark] of spellings) {
    let node = root;
    for (let at = 0; at < spelling.length; at++) {
      const code = spelling.charCodeAt(at);
      const next = node.next.get(code) ?? { next: new Map(), mark: null };
      node.next.set(code, next);
      node = next;
    }
    node.mark = mark;
  }
  return root;
}

/**
 * A filter for text in pieces that gives the same as the whole text would. What may be the start of a spelling is held
 * back until more text, or the end, decides.
 */
export function createSecretStream(root: Trie): { push(text: string): string; flush(): string } {
  let held = "";

  const take = (text: string, isLast: boolean): string => {
    const input = held + text;
    let out = "";
    let plainFrom = 0;
    let at = 0;
    while (at < input.length) {
      if (!root.next.has(input.charCodeAt(at))) {
        at += 1;
        continue;
      }
      const found = longestAt(root, input, at);
      if (found.open && !isLast) break;
      if (found.mark !== null) {
        out += input.slice(plainFrom, at) + found.mark;
        plainFrom = at + found.length;
      }
      at += Math.max(found.length, 1);
    }
    held = input.slice(at);
    return out + input.slice(plainFrom, at);
  };

  return { push: (text) => take(text, false), flush: () => take("", true) };
}

interface Found {
  readonly length: number;
  readonly mark: string | null;
  /** The text ended inside a spelling. */
  readonly open: boolean;
}

function longestAt(root: Trie, text: string, start: number): Found {
  let node = root;
  let length = 0;
  let mark: string | null = null;
  for (let at = start; at < text.length; at++) {
    const next = node.next.get(text.charCodeAt(at));
    if (next === undefined) return { length, mark, open: false };
    node = next;
    if (node.mark !== null) {
      length = at + 1 - start;
      mark = node.mark;
    }
  }
  return { length, mark, open: node.next.size > 0 };
}
