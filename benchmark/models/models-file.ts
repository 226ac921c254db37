import { parse } from 'yaml';
import { z } from 'zod';
import { issueSentence } from '../text/issue-sentence.ts';

/**
 * `models.yaml`, in upstream's format: model name → base URL, API type, key or keys. The same file
 * serves agents and judges. It is a secret: only names, API types and hosts may reach a log or a message.
 */

export const API_TYPES = [
  'openai-completions',
  'openai-responses',
  'anthropic-messages',
  'google-generative-ai',
] as const;
export type ApiType = (typeof API_TYPES)[number];

/** The characters of an HTTP header value. The usual mistake is a key with the line break of its file. */
const headerText = z
  .string()
  .min(1)
  .regex(/^[\x21-\x7e]+$/, {
    error: 'contains a space, a line break or another character that an HTTP header cannot hold',
  });

const entry = z.object({
  base_url: z.url({ protocol: /^https?$/ }),
  api_type: z.enum(API_TYPES),
  api_key: headerText.optional(),
  api_keys: z.array(headerText).min(1).optional(),
  thinking_level: z.enum(['off', 'minimal', 'low', 'medium', 'high', 'xhigh', 'adaptive']).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.number().int().min(1).optional(),
  anthropic_version: headerText.optional(),
  structured_output: z.boolean().optional(),
  requests_per_minute: z.number().positive().optional(),
});

export interface ModelEntry {
  readonly name: string;
  readonly baseUrl: string;
  readonly apiType: ApiType;
  /** At least one; `api_keys` wins over `api_key`. */
  readonly keys: readonly string[];
  readonly thinkingLevel: string | null;
  readonly temperature: number | null;
  readonly maxTokens: number | null;
  /** Header of the Messages API. */
  readonly anthropicVersion?: string | undefined;
  /** Ask a judge for replies by JSON Schema from the first call on, not only after a reply that could not be parsed. */
  readonly structuredOutput?: boolean | undefined;
  /** Upper bound of the rate of judge calls. */
  readonly requestsPerMinute?: number | undefined;
}

/** `models.yaml` cannot be used; `message` is one sentence that names the entry and the field, never a value. */
export class ModelsFileError extends Error {
  override readonly name = 'ModelsFileError';
}

/** Characters that upstream refuses in model names, since they become file names there. */
const FORBIDDEN = /[\s\\*?"<>|]/;
/** The limit of `spec.model` of a run. */
const MAX_NAME = 253;

/** Parses the whole file. @throws ModelsFileError */
export function parseModels(text: string): ReadonlyMap<string, ModelEntry> {
  const data = parseYaml(text);
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new ModelsFileError('the models file must be a map from model name to its settings');
  }
  return new Map(Object.entries(data).map(([name, value]) => [name, modelEntry(name, value)]));
}

function parseYaml(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100 });
  } catch (error) {
    // The parser's message quotes the source line, which may contain a key: only the position is kept.
    const position = (error as { linePos?: { line: number; col: number }[] }).linePos?.[0];
    throw new ModelsFileError(
      `the models file is not valid YAML${position ? ` at line ${position.line}, column ${position.col}` : ''}`,
    );
  }
}

function checkName(name: string): void {
  if (name === '') throw new ModelsFileError('a model has an empty name');
  const shown = JSON.stringify(name.slice(0, 80));
  if (/\p{Cc}/u.test(name)) throw new ModelsFileError(`model name ${shown} contains a control character`);
  if (FORBIDDEN.test(name)) throw new ModelsFileError(`model name ${shown} contains a space or one of \\ * ? " < > |`);
  if (name.length > MAX_NAME)
    throw new ModelsFileError(
      `model name ${shown}… has ${String(name.length)} characters; the limit is ${String(MAX_NAME)}`,
    );
}

function entryData(name: string, value: unknown): z.infer<typeof entry> {
  const parsed = entry.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const problem = issue === undefined ? 'the entry is not valid' : issueSentence(issue, value, 'the entry');
  throw new ModelsFileError(`model "${name}": ${problem}`);
}

function modelEntry(name: string, value: unknown): ModelEntry {
  checkName(name);
  const data = entryData(name, value);
  const keys = keysOf(data);
  if (keys.length === 0) throw new ModelsFileError(`model "${name}" has neither api_key nor api_keys`);
  return {
    name,
    baseUrl: data.base_url.replace(/\/+$/, ''),
    apiType: data.api_type,
    keys,
    thinkingLevel: data.thinking_level ?? null,
    temperature: data.temperature ?? null,
    maxTokens: data.max_tokens ?? null,
    anthropicVersion: data.anthropic_version,
    structuredOutput: data.structured_output,
    requestsPerMinute: data.requests_per_minute,
  };
}

function keysOf(data: z.infer<typeof entry>): readonly string[] {
  return data.api_keys ?? (data.api_key === undefined ? [] : [data.api_key]);
}
