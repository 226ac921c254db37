import { sha256Hex } from '../text/sha256.ts';
import { isObject } from '../text/json.ts';

/** A model's configuration without its secrets, as in run-meta, with a hash for comparison. */
export interface ModelConfigMeta {
  readonly model: unknown;
  readonly api_type: unknown;
  readonly base_url: unknown;
  readonly thinking_level: unknown;
  readonly temperature: unknown;
  readonly max_tokens: unknown;
  readonly api_key_count: number;
  readonly sanitized_config_sha256: string;
  readonly extra?: Readonly<Record<string, unknown>>;
}

const SECRET_KEY = /(?:api[_-]?keys?|token|secret|password|credential)/i;
const KNOWN: ReadonlySet<string> = new Set([
  'model',
  'api_type',
  'base_url',
  'thinking_level',
  'temperature',
  'max_tokens',
  'api_key',
  'api_keys',
]);

/** The block for `model_config` and `judge_config`. */
export function modelConfigMeta(config: Readonly<Record<string, unknown>>): ModelConfigMeta {
  const keys = config['api_keys'];
  const extra = Object.entries(config).filter(([key]) => !KNOWN.has(key) && !SECRET_KEY.test(key));
  return {
    model: config['model'] ?? null,
    api_type: config['api_type'] ?? null,
    base_url: config['base_url'] ?? null,
    thinking_level: config['thinking_level'] ?? null,
    temperature: config['temperature'] ?? null,
    max_tokens: config['max_tokens'] ?? null,
    api_key_count: Array.isArray(keys) ? keys.length : config['api_key'] ? 1 : 0,
    sanitized_config_sha256: sha256Hex(pythonJson(sanitized(config))),
    ...(extra.length === 0 ? {} : { extra: Object.fromEntries(extra) }),
  };
}

/** `max_tokens` matches the secret pattern too, and upstream's hash is computed over exactly this form. */
function sanitized(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [key, SECRET_KEY.test(key) ? masked(value) : value]),
  );
}

function masked(value: unknown): unknown {
  if (Array.isArray(value)) return `[REDACTED:${String(value.length)}]`;
  return value ? '[REDACTED]' : value;
}

/** Python's `json.dumps(sort_keys=True, separators=(',', ':'))`: keys sorted at every level, non-ASCII escaped. */
function pythonJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
  return text.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
