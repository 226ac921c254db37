import { isObject, stringifyJson } from '../text/json.ts';
import type { PromptRubric } from './rubrics.ts';
import { RUBRIC_PROMPTS } from './system-prompts.ts';

/**
 * What a judge sees. Of an intercepted request: URL, method and body, never headers, the query object, screenshots or the
 * transcript. Of a research task: the submitted answer. All of it is untrusted text (J6), so every block is fenced with a
 * nonce that the text cannot contain.
 */
export interface UserPromptInput {
  readonly instruction: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly body: unknown;
    readonly bodyStatus?: string | undefined;
  };
  /** The task's `judge_context`. */
  readonly context?: Readonly<Record<string, unknown>> | null;
}

/** Limit in code points for the body and for each context field. Instruction and URL are not truncated. */
export const MAX_PART_CHARS = 6000;
const MAX_ANSWER_CHARS = 8000;
const EMPTY_BODY = '(no body)';
const EMPTY_ANSWER = '(an empty answer)';
const LAST_LINE = 'Judge now. Reply with the one line of JSON.';

/**
 * The user message of a rubric.
 * @param nonce unpredictable, of letters and digits; a new one for each message.
 */
export function userPrompt(rubric: PromptRubric, input: UserPromptInput, nonce: string): string {
  const { request } = input;
  const context = contextBlocks(RUBRIC_PROMPTS[rubric].contextKeys, input.context ?? {}, nonce);
  const shown =
    rubric === 'answer'
      ? [block('ANSWER', answerText(request.body), nonce)]
      : [
          block('REQUEST URL', request.url, nonce),
          block('REQUEST METHOD', request.method, nonce),
          ...statusLine(request.bodyStatus),
          block('REQUEST BODY', bodyText(request.body), nonce),
        ];
  return [block('INSTRUCTION', input.instruction, nonce), ...context, ...shown, LAST_LINE].join('\n\n');
}

function block(title: string, content: string, nonce: string): string {
  // The nonce cannot be guessed, but it must never occur inside the block.
  return `<<${nonce} ${title}>>\n${content.replaceAll(nonce, '')}\n<<${nonce} END>>`;
}

function contextBlocks(keys: readonly string[], context: Readonly<Record<string, unknown>>, nonce: string): string[] {
  return keys.flatMap((key) => {
    const value = context[key];
    const text = typeof value === 'string' ? cutChars(value.trim(), MAX_PART_CHARS) : '';
    return text === '' ? [] : [block(key.replaceAll('_', ' ').toUpperCase(), text, nonce)];
  });
}

function statusLine(status: string | undefined): string[] {
  if (status === undefined || status === 'complete' || status === 'none') return [];
  return [`The body could not be recorded as a whole (${status}).`];
}

/** The body as text: JSON with an indentation of two spaces and unescaped non-ASCII; strings unchanged. */
export function bodyText(body: unknown): string {
  if (body === null || body === undefined) return EMPTY_BODY;
  const text = typeof body === 'string' ? body : safeJson(body);
  return cutChars(text, MAX_PART_CHARS);
}

/** The submitted answer: the field of our answer page, else the whole body. */
function answerText(body: unknown): string {
  const answer = isObject(body) && typeof body['answer'] === 'string' ? body['answer'] : body;
  const text = typeof answer === 'string' ? answer : answer === null || answer === undefined ? '' : safeJson(answer);
  return cutChars(text.trim(), MAX_ANSWER_CHARS) || EMPTY_ANSWER;
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
