/** Tells each listener; what one throws is its own, in a task of its own, so that the others hear of it too. To be called outside of a commit. */
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
