/**
 * Loads `node:sqlite` when the first store is opened, so that importing Rein costs nothing, and keeps Node's notice that
 * the module is experimental (printed by Node 22 and 24) away from the person. Every other warning passes.
 */
export function loadSqlite(): typeof import("node:sqlite") {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...rest: unknown[]): void => {
    if (String(warning).includes("SQLite is an experimental feature")) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}
