import { randomBytes } from 'node:crypto';
import { judgeMessage, type JudgeInput } from '../../benchmark/judge/message.ts';
import { parseVerdict, type ParsedVerdict } from '../../benchmark/judge/parse-verdict.ts';
import { RUBRIC_PROMPTS, type RequestRubric } from '../../benchmark/judge/rubric.ts';
import { UNPARSEABLE } from '../../benchmark/judge/verdict-file.ts';
import type { Ask } from '../call/chat.ts';
import { JUDGE_RETRY, withRetry } from '../call/retry.ts';

/** One reply of a judge model, as it is kept for ever under `votes/`. */
export interface Vote {
  /** UTC, ISO 8601. */
  readonly time: string;
  readonly rubric: RequestRubric;
  readonly model: string;
  /** First digits of the prompt's SHA-256: which wording was asked. */
  readonly prompt_hash: string;
  readonly match: boolean | null;
  readonly reason: string;
  readonly raw: string;
  readonly error: string | null;
}

export interface Judged {
  readonly verdict: ParsedVerdict;
  readonly raw: string;
  readonly error: string | null;
  readonly votes: readonly Vote[];
}

/** Replies that hold no verdict, in a row, after which that is the answer: `match: null`. */
const UNPARSEABLE_LIMIT = 3;

/**
 * Asks one rubric about one request. A reply without a verdict is asked again, since models stumble; three of them are
 * an answer of their own, counted as unjudged.
 * @throws ProviderError when the provider gives no reply.
 */
export async function askRubric(ask: Ask, model: string, rubric: RequestRubric, input: JudgeInput): Promise<Judged> {
  const prompt = RUBRIC_PROMPTS[rubric];
  const votes: Vote[] = [];
  for (let tries = 1; ; tries += 1) {
    const nonce = randomBytes(9).toString('hex');
    const user = judgeMessage(prompt.usesContext ? input : { ...input, context: null }, nonce);
    const raw = await withRetry(JUDGE_RETRY, () => ask({ system: prompt.system, user, maxTokens: prompt.maxTokens }));
    const verdict = parseVerdict(raw, rubric);
    const error = verdict.match === null ? UNPARSEABLE : null;
    votes.push({
      time: new Date().toISOString(),
      rubric,
      model,
      prompt_hash: prompt.hash,
      match: verdict.match,
      reason: verdict.reason,
      raw: raw.slice(0, 20_000),
      error,
    });
    if (verdict.match !== null || tries >= UNPARSEABLE_LIMIT) return { verdict, raw, error, votes };
  }
}
