/** A number with its noun: `1 file`, `2 files`, `3 entries`. */
export function counted(count: number, noun: string, many = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : many}`;
}
