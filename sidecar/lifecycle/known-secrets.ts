/**
 * The secrets that this process can know: its own store credentials, values that the Pod passes only to be redacted
 * (`CLAWBENCH_REDACT_…`, by `secretKeyRef`), and in a local session everything in the user's environment that looks like
 * a secret, because the harness inherits it. A mailbox's password is added when the mailbox exists.
 */

/** Names whose values are credentials by convention: `OPENAI_API_KEY`, `HF_TOKEN`, `API_KEYS`. */
const SECRET_NAME = /(?:^|_)(?:[A-Z]*KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|PAT)(?:_ID)?$/i;
const PASSED_FOR_REDACTION = /^CLAWBENCH_REDACT_/;
/** `https://user:password@proxy` and the like. */
const LOCATION_NAME = /(?:_URL|_URI|_PROXY|_DSN)$/i;

/** Shorter values of guessed names are switches (`USE_TOKEN=1`); redacting them would remove ordinary text. */
const SHORTEST_GUESS = 8;

/** Values to redact, without repetition. */
export function knownSecrets(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const found = new Set<string>();
  // Key files end in a line break; the value that is sent, and found in evidence, does not.
  for (const [name, value = ''] of Object.entries(env)) {
    for (const secret of secretsOf(name, value.trim())) found.add(secret.trim());
  }
  return [...found].filter((secret) => secret !== '');
}

function secretsOf(name: string, value: string): readonly string[] {
  if (PASSED_FOR_REDACTION.test(name)) return [value, ...inside(value)];
  if (SECRET_NAME.test(name)) return [value, ...inside(value)].filter((secret) => secret.length >= SHORTEST_GUESS);
  return LOCATION_NAME.test(name) ? passwordIn(value) : [];
}

/**
 * `API_KEYS` is a JSON list, and each of its keys appears alone; so do the credentials of a key file
 * that is a JSON object, by their names.
 */
function inside(value: string): readonly string[] {
  if (!/^[[{]/.test(value)) return [];
  try {
    return leaves(JSON.parse(value), true);
  } catch {
    return [];
  }
}

function leaves(value: unknown, isSecret: boolean): readonly string[] {
  if (typeof value === 'string') return isSecret ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((entry) => leaves(entry, isSecret));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, entry]) => leaves(entry, SECRET_NAME.test(name)));
}

function passwordIn(value: string): readonly string[] {
  if (!URL.canParse(value)) return [];
  const { password } = new URL(value);
  return password === '' ? [] : [password, safelyDecoded(password)];
}

function safelyDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
