import { randomUUID } from 'node:crypto';
import { userPrompt, type UserPromptInput } from '../../benchmark/judge/user-prompt.ts';
import { parseVerdict, type ParsedVerdict } from '../../benchmark/judge/parse-verdict.ts';
import { RUBRIC_PROMPTS, VERDICT_SCHEMA } from '../../benchmark/judge/system-prompts.ts';
import { UNPARSEABLE } from '../../benchmark/judge/verdict-file.ts';
import type { PromptRubric } from '../../benchmark/judge/rubrics.ts';
import { MAX_RAW_CHARS, type Vote } from '../bundle/votes.ts';
import { userMessage, type SendChat, type ChatRequest } from '../call/chat-types.ts';

/** The judge's model. */
export interface JudgeModel {
  readonly ask: SendChat;
  /** Key in models.yaml. */
  readonly model: string;
  /** Request replies by JSON Schema from the first call on. */
  readonly structured: boolean;
}

export interface RubricAnswer {
  readonly verdict: ParsedVerdict;
  readonly raw: string;
  readonly error: string | null;
  readonly votes: readonly Vote[];
}

/** After this many consecutive replies without a verdict, the result is `match: null`. */
const UNPARSEABLE_LIMIT = 3;

/**
 * Asks one rubric about one request. After a reply without a verdict the model is asked again, by JSON Schema where the
 * provider supports it; after three such replies the result is null and counts as unjudged. The first request has upstream's
 * form, so that upstream's judges and ours get the same question.
 * @throws ProviderError when the provider sends no reply.
 */
export async function askRubric(
  judge: JudgeModel,
  rubric: PromptRubric,
  input: UserPromptInput,
): Promise<RubricAnswer> {
  const prompt = RUBRIC_PROMPTS[rubric];
  const votes: Vote[] = [];
  for (let tries = 1; ; tries += 1) {
    const reply = await judge.ask(request(judge, rubric, input, tries));
    const raw = reply.text;
    const verdict = parseVerdict(raw, rubric);
    const error = verdict.match === null ? (reply.shortfall ?? UNPARSEABLE) : null;
    votes.push({
      time: new Date().toISOString(),
      rubric,
      model: judge.model,
      prompt_hash: prompt.hash,
      match: verdict.match,
      reason: verdict.reason,
      raw: raw.slice(0, MAX_RAW_CHARS),
      error,
      tokens: reply.usage.total_tokens,
    });
    if (verdict.match !== null || tries >= UNPARSEABLE_LIMIT) return { verdict, raw, error, votes };
  }
}

/** Hexadecimal digits that no page can guess. */
export function newNonce(): string {
  return randomUUID().replaceAll('-', '').slice(0, 18);
}

function request(judge: JudgeModel, rubric: PromptRubric, input: UserPromptInput, tries: number): ChatRequest {
  const { system, maxTokens, temperature } = RUBRIC_PROMPTS[rubric];
  const messages = userMessage(userPrompt(rubric, input, newNonce()));
  const schema = judge.structured || tries > 1 ? { name: 'verdict', schema: VERDICT_SCHEMA } : undefined;
  return { system, messages, maxTokens, temperature, schema };
}
