/**
 * `list.map(of)` for lists that many functions look at. An array that `map` made is of another kind once V8 has compiled the caller,
 * and then all that was compiled for the first kind is thrown away.
 */
export function packedMap<Item, Value>(list: readonly Item[], of: (item: Item) => Value): Value[] {
  const values: Value[] = [];
  for (const item of list) values.push(of(item));
  return values;
}
