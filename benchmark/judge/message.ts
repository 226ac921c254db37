import { stringifyJson } from '../json.ts';

/**
 * What the judge is shown (upstream.md 7.1): the instruction, then URL, method and body of the caught request. Never
 * headers, the query object, screenshots or the transcript. The body is attacker's text (J6), so every block is fenced
 * by a nonce that it cannot know.
 */
export interface JudgeInput {
  readonly instruction: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly body: unknown;
    readonly bodyStatus?: string | undefined;
  };
  /** The task's `judge_context`; only for rubrics that use it. */
  readonly context?: Readonly<Record<string, unknown>> | null;
}

/** Characters (code points) of the body and of each context field. Instruction and URL are not cut. */
export const MAX_PART_CHARS = 6000;
/** In this order; `gold_answer` belongs to the answer rubric alone. */
const CONTEXT_KEYS = ['rubric', 'reference_solution', 'source_task_yaml'] as const;
const EMPTY_BODY = '(no body)';

/**
 * The user message.
 * @param nonce unpredictable, of letters and digits; a new one for each message.
 */
export function judgeMessage(input: JudgeInput, nonce: string): string {
  const { request } = input;
  return [
    block('INSTRUCTION', input.instruction, nonce),
    ...contextBlocks(input.context ?? {}, nonce),
    block('REQUEST URL', request.url, nonce),
    block('REQUEST METHOD', request.method, nonce),
    ...statusLine(request.bodyStatus),
    block('REQUEST BODY', bodyText(request.body), nonce),
    'Judge now. Reply with the one line of JSON.',
  ].join('\n\n');
}

function block(title: string, content: string, nonce: string): string {
  // The nonce cannot be guessed, but a page may have seen an earlier one: never let it stand inside.
  return `<<${nonce} ${title}>>\n${content.replaceAll(nonce, '')}\n<<${nonce} END>>`;
}

function contextBlocks(context: Readonly<Record<string, unknown>>, nonce: string): string[] {
  return CONTEXT_KEYS.flatMap((key) => {
    const value = context[key];
    const text = typeof value === 'string' ? cutChars(value.trim(), MAX_PART_CHARS) : '';
    return text === '' ? [] : [block(key.replaceAll('_', ' ').toUpperCase(), text, nonce)];
  });
}

function statusLine(status: string | undefined): string[] {
  if (status === undefined || status === 'complete' || status === 'none') return [];
  return [`The body could not be recorded as a whole (${status}).`];
}

/** The body as text: JSON with two spaces of indent, non-ASCII kept; strings as they are. */
export function bodyText(body: unknown): string {
  if (body === null || body === undefined) return EMPTY_BODY;
  const text = typeof body === 'string' ? body : safeJson(body);
  return cutChars(text, MAX_PART_CHARS);
}

function safeJson(body: unknown): string {
  try {
    return stringifyJson(body, 2);
  } catch {
    return '(a body nested too deep to be shown)';
  }
}

/** The first `limit` code points. */
export function cutChars(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return [...text.slice(0, limit * 2)].slice(0, limit).join('').toWellFormed();
}
