/**
 * Tells each listener. What one throws keeps nobody from hearing of it: it is thrown again in a microtask, where nobody catches it, once
 * for each change it is told of. To be called outside of a commit.
 */
export function tellEach<Change>(listeners: ReadonlySet<(change: Change) => void>, change: Change): void {
  for (const listener of listeners) {
    try {
      listener(change);
    } catch (thrown) {
      queueMicrotask(() => {
        throw thrown;
      });
    }
  }
}
