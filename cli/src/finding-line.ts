import type { Finding } from "rein";
import { oneLine } from "./one-line.ts";

/** A finding of a verification as one line, with its place. */
export function findingLine({ kind, message, stream, from, to, place }: Finding): string {
  const where = [
    ...(stream === undefined ? [] : [`session ${stream}`]),
    ...(from === undefined ? [] : [to === undefined || to === from ? `event ${from}` : `events ${from} to ${to}`]),
    ...Object.entries(place ?? {}).map(([name, value]) => `${name} ${value}`),
  ];
  return `${kind}: ${oneLine(message, 500)}${where.length === 0 ? "" : ` (${oneLine(where.join(", "), 500)})`}`;
}
