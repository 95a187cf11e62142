/** Variables a child gets from the surrounding environment; besides these, those that begin with `LC_`. */
const ALLOWED = ["PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TMPDIR", "USER", "LOGNAME", "SHELL", "TZ"];

/** Carries the marks of the processes a process descends from, the newest last, with `:` between them. */
export const MARK_VARIABLE = "REIN_MARK";

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** The environment of children but for their mark: the few variables that programs need, then what is passed by name. */
export function childEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  passed: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const child: Record<string, string> = { PATH: USUAL_PATH };
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && (ALLOWED.includes(name) || name.startsWith("LC_"))) child[name] = value;
  }
  return { ...child, ...passed };
}

/** The value of {@link MARK_VARIABLE} for a child: its own mark after those of its ancestors. */
export function markValue(env: Readonly<Record<string, string | undefined>>, mark: string): string {
  const before = env[MARK_VARIABLE];
  return before === undefined || before === "" ? mark : `${before}:${mark}`;
}

/** Whether a process with this environment descends from the one that was given the mark. */
export function bearsMark(env: Readonly<Record<string, string | undefined>>, mark: string): boolean {
  return env[MARK_VARIABLE]?.split(":").includes(mark) ?? false;
}
