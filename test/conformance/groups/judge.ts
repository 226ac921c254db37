/* eslint-disable @typescript-eslint/no-explicit-any, @typescript-eslint/no-unsafe-call, @typescript-eslint/no-unsafe-return -- the case files have as many shapes as groups */
import { openChat } from '../../../judging/call/chat.ts';
import type { Post } from '../../../judging/call/post.ts';
import { userMessage } from '../../../judging/call/chat-types.ts';
import { ProviderError } from '../../../judging/call/provider-error.ts';
import { JUDGE_RETRY, withRetry } from '../../../judging/call/retry.ts';
import { ModelsFileError, parseModels } from '../../../benchmark/models/models-file.ts';
import { coerceMatch } from '../../../benchmark/judge/verdict-words.ts';
import { bodyText, userPrompt } from '../../../benchmark/judge/user-prompt.ts';
import { parseVerdict } from '../../../benchmark/judge/parse-verdict.ts';
import { RUBRIC_PROMPTS } from '../../../benchmark/judge/system-prompts.ts';
import { verdictFile } from '../../../benchmark/judge/verdict-file.ts';
import type { RequestRubric } from '../../../benchmark/judge/rubrics.ts';
import type { ConformanceGroup } from '../group.ts';

/** Prompts, calls, verdicts. */
export const JUDGE_GROUPS: Readonly<Record<string, ConformanceGroup>> = {
  coerce_match: ({ input }) => ({ match: coerceMatch(input.value) }),
  judge_parse: ({ input }) => ({
    strict: parseVerdict(input.reply, 'strict'),
    lenient: parseVerdict(input.reply, 'lenient'),
  }),
  judge_message: ({ input }) => message(input),
  judge_http: ({ input, expected }) => call(input, expected),
  judge_retry: ({ input, expected }) => retry(input.replies, expected),
};

const NONCE = 'n0nce';

function count(text: string, char: string): number {
  return text.split(char).length - 1;
}

function message(input: any): unknown {
  if (typeof input.body === 'string') {
    const body = input.body.startsWith('object') ? { key: 'x'.repeat(20_000) } : 'x'.repeat(20_000);
    return { body_chars_included: bodyText(body).length };
  }
  const request = { url: 'ü'.repeat(9000), method: 'POST', body: null };
  if (input.judge_context === undefined) {
    const text = userPrompt('strict', { instruction: 'ß'.repeat(50_000), request }, NONCE);
    return { instruction_chars_included: count(text, 'ß'), url_chars_included: count(text, 'ü') };
  }
  const marks = { rubric: 'ä', reference_solution: 'ö', source_task_yaml: 'å', gold_answer: 'ø' };
  const context = Object.fromEntries(Object.entries(marks).map(([key, mark]) => [key, mark.repeat(7000)]));
  const text = userPrompt('strict', { instruction: 'i', request, context }, NONCE);
  const shown = Object.fromEntries(Object.entries(marks).map(([key, mark]) => [key, count(text, mark) > 0]));
  const lengths = new Set(
    Object.values(marks)
      .map((mark) => count(text, mark))
      .filter((length) => length > 0),
  );
  return { ...shown, chars_each: lengths.size === 1 ? [...lengths][0] : [...lengths] };
}

const REPLY = '{"match": true, "reason": "ok"}';

/** The production client with a fake network. */
async function call(input: any, expected: any): Promise<unknown> {
  const rubric: RequestRubric = input.rubric;
  const base = input.base_url ?? 'https://j.test/v1';
  let models;
  try {
    models = parseModels(`jm: {base_url: "${base}", api_type: ${input.api_type}, api_key: secret-key}`);
  } catch (error) {
    // Rejected when the file is parsed, before any call.
    if (error instanceof ModelsFileError) return { match: null, error: 'unsupported_api_type', calls: 0 };
    throw error;
  }
  const { url, headers, payload, reply } = await askOnce(models.get('jm')!, rubric);
  const facts = { rubric, verdict: parseVerdict(reply, rubric), judgeModel: 'jm', raw: reply, error: null };
  const seen = { url, payload, result: verdictFile(facts) };
  return 'headers' in expected ? { ...seen, headers } : seen;
}

interface Sent {
  url: string;
  headers: Record<string, string>;
  payload: unknown;
}

async function askOnce(model: any, rubric: RequestRubric): Promise<Sent & { reply: string }> {
  let sent: Sent | null = null;
  const post: Post = (url, headers, body) => {
    sent = { url, headers: withoutKey(headers), payload: withoutText(JSON.parse(body)) };
    return Promise.resolve({ status: 200, retryAfter: null, text: JSON.stringify(answerOf(url)) });
  };
  const { system, maxTokens, temperature } = RUBRIC_PROMPTS[rubric];
  const { text } = await openChat(model, post)({ system, messages: userMessage('u'), maxTokens, temperature });
  if (sent === null) throw new Error('no call was made');
  return { ...(sent as Sent), reply: text };
}

function answerOf(url: string): unknown {
  if (url.endsWith('/responses')) return { output: [{ content: [{ type: 'output_text', text: REPLY }] }] };
  if (url.endsWith('/messages')) return { content: [{ type: 'text', text: REPLY }] };
  return { choices: [{ message: { content: REPLY } }] };
}

/** Header names as in the cases; API keys as their placeholder. */
function withoutKey(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name === 'authorization' ? 'Authorization' : name,
      /^(Bearer )?secret-key$/.test(value) ? '<key>' : value,
    ]),
  );
}

/** Prompts are our own: the cases contain a placeholder. */
function withoutText(payload: any): unknown {
  const blank = Object.fromEntries(
    ['instructions', 'input', 'system'].filter((key) => key in payload).map((key) => [key, '<text>']),
  );
  const messages = payload.messages?.map((one: any) => ({ ...one, content: '<text>' }));
  return { ...payload, ...blank, ...(messages === undefined ? {} : { messages }) };
}

/** Our retry policy with a random value of one half. */
async function retry(replies: string, expected: any): Promise<unknown> {
  const sequence = readReplies(replies);
  const sleeps: number[] = [];
  let calls = 0;
  const tools = { random: () => 0.5, sleep: (ms: number) => Promise.resolve(sleeps.push(ms / 1000)) };
  const next = (): Promise<string> => {
    const reply = sequence[Math.min(calls, sequence.length - 1)]!;
    calls += 1;
    return reply === 'ok' ? Promise.resolve(REPLY) : Promise.reject(providerError(reply));
  };
  const reply = await withRetry(JUDGE_RETRY, next, tools).catch(() => null);
  const match = reply === null ? null : parseVerdict(reply, 'strict').match;
  const common = { calls, sleeps, match };
  return {
    ...('strict' in expected ? { strict: { ...common, has_error: reply === null } } : {}),
    ...('lenient' in expected ? { lenient: { ...common, error: reply === null ? 'failed' : null } } : {}),
  };
}

function readReplies(text: string): string[] {
  return text.split(' then ').flatMap((part) => {
    const times = /^(.*?) x(\d+)$/.exec(part);
    return times === null ? [part] : Array.from({ length: Number(times[2]) }, () => times[1]!);
  });
}

function providerError(reply: string): ProviderError {
  const status = Number(reply);
  const passing = reply === 'timeout' || status === 429 || status >= 500;
  return new ProviderError(passing ? 'Retry' : 'Refused', Number.isNaN(status) ? 0 : status, reply);
}
