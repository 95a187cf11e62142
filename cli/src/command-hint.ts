import type { ReinError } from "rein";

/** The hint of an error for somebody at the command line, where the library speaks of its own options. `command` is such as `rein import`. */
export function commandHint({ code, hint }: ReinError, command: string): string {
  if (code === "session_unknown" && !hint.includes("`rein "))
    return "See `rein sessions`, and check --store and REIN_HOME.";
  // It has said all it can list.
  if (command === "rein verify")
    return hint.replace("`rein verify` lists every place; restore them", "Restore the files");
  if (command !== "rein import") return hint;
  if (code === "session_exists") return "Import it under another id: --as ID.";
  if (code !== "import_invalid") return hint;
  if (hint.includes("`as`")) return "Give the session an id of your own: --as ID.";
  return hint.replace("salvage what is whole", "take what is whole with --salvage");
}
