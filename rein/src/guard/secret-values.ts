/** A value that must not be seen, and the name it is called by. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** Shorter values are too common as parts of ordinary words. */
const LEAST_CHARACTERS = 8;

/** Parts of a name that make any value of it a secret. */
const SECRET_NAME = /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE_?KEY|API_?KEY|ACCESS_?KEY/i;
/** Words of a name that do so only as a whole word: AUTHOR and KEYBOARD are none. */
const SECRET_WORDS = new Set(["AUTH", "AUTHORIZATION", "KEY", "KEYS", "PWD", "PASS", "COOKIE"]);

/** Values that stand in for a secret in many examples; as words they are everywhere. */
const PLACEHOLDERS = new Set(
  "anonymous changeme change-me change_me developer development disabled enabled kerberos localhost password passw0rd postgres postgresql production required optional undefined username".split(
    " ",
  ),
);

/**
 * Finds the secrets of an environment: values of variables with a telling name, and passwords inside addresses
 * (`postgres://user:password@host`) of any variable. Left out: fewer than 8 characters, booleans and numbers, paths,
 * well-known placeholders, and the names of the working folder (`PWD`, `OLDPWD`).
 */
export function secretValues(env: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  const secrets: Secret[] = [];
  for (const name of Object.keys(env).sort()) {
    const value = env[name]?.trim();
    if (value === undefined) continue;
    if (isSecretName(name) && isSecretValue(value)) secrets.push({ name, value }, ...linesOf(name, value));
    for (const password of passwordsIn(value)) {
      if (isSecretValue(password)) secrets.push({ name, value: password });
    }
  }
  return secrets;
}

function isSecretName(name: string): boolean {
  if (name === "PWD" || name === "OLDPWD") return false;
  return SECRET_NAME.test(name) || name.split(/[^A-Za-z]+/).some((word) => SECRET_WORDS.has(word.toUpperCase()));
}

function isSecretValue(value: string): boolean {
  if (value.length < LEAST_CHARACTERS || PLACEHOLDERS.has(value.toLowerCase())) return false;
  if (/^[\d\s.,:_+-]+$/.test(value)) return false;
  if (/^(.)\1*$/s.test(value)) return false;
  return !isPath(value);
}

const PATH_START = /^(?:~\/|\.{1,2}\/|file:|[A-Za-z]:\\)/;
const ROOT_FOLDERS =
  /^\/(?:bin|boot|data|dev|etc|home|lib|media|mnt|nix|opt|private|proc|root|run|snap|srv|sys|tmp|Users|usr|var|Volumes|work\w*)(?:\/|$)/;

/** A key in base64 may start with a slash too: then it has no dot, is long, and mixes digits with both cases. */
function isPath(value: string): boolean {
  if (PATH_START.test(value) || ROOT_FOLDERS.test(value)) return true;
  if (!value.startsWith("/")) return false;
  const looksEncoded = /^[A-Za-z0-9+/]{20,}={0,2}$/.test(value);
  return !(looksEncoded && /\d/.test(value) && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

/** Lines of a key file: tools show them one by one. */
function linesOf(name: string, value: string): readonly Secret[] {
  if (!value.includes("\n")) return [];
  return value
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line.length >= 20 && !line.startsWith("-----"))
    .map((line) => ({ name, value: line }));
}

/** The password of an address, as it stands there and decoded. */
function passwordsIn(value: string): readonly string[] {
  if (!value.includes("://") || !value.includes("@") || !URL.canParse(value)) return [];
  const { password } = new URL(value);
  return [...new Set([password, decoded(password)])];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A stray percent sign: the text is not encoded.
    return text;
  }
}
