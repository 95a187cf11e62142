// A reader for RFC 4180: quoted fields, doubled quotes, line breaks inside of quotes.

/** Rows of fields. */
export function parseRows(text) {
  const rows = [];
  let row = [];
  let field = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[i + 1] === '"') {
        field += '"';
        i++;
      } else quoted = false;
    } else if (char === '"' && field === "") quoted = true;
    else if (char === ",") {
      row.push(field);
      field = "";
    } else if (char === "\n") {
      row.push(field.replace(/\r$/, ""));
      rows.push(row);
      row = [];
      field = "";
    } else field += char;
  }
  if (quoted) throw new SyntaxError("a quoted field is not closed");
  if (field !== "" || row.length > 0) {
    row.push(field);
    rows.push(row);
  }
  return rows;
}

/** Objects named by the header. */
export function parseRecords(text) {
  const [header, ...rows] = parseRows(text);
  if (!header) return [];
  return rows.map((row, index) => {
    if (row.length !== header.length) {
      throw new SyntaxError(`line ${index + 2} has ${row.length} fields, the header has ${header.length}`);
    }
    return Object.fromEntries(header.map((name, column) => [name, row[column]]));
  });
}
