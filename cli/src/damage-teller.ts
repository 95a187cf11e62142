import type { ReinError } from "rein";
import type { CommandContext } from "./command-context.ts";
import { EXIT } from "./exit-code.ts";
import { findingLine } from "./finding-line.ts";

/** What says of a damaged place that it is left out, and makes the command fail. */
export function damageTeller({ output, exit }: CommandContext): (error: ReinError) => void {
  return ({ code, message, place }) => {
    const line = findingLine({ kind: "damage", message, ...(place === undefined ? {} : { place }) });
    output.note(`rein: ${line} [${code}]`);
    exit(EXIT.failed);
  };
}
