/** Items whose name or SKU holds every word of the query. */
export function findItems(items, query) {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return items.filter((item) => {
    const text = fold(`${item.sku} ${item.name}`);
    return words.every((word) => text.includes(word));
  });
}

// TODO: an index, once the file has more than some ten thousand rows.
function fold(text) {
  return text.normalize("NFD").replace(/\p{Mn}/gu, "").toLowerCase();
}
