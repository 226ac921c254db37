import { citationProblem, type SessionEvidence, type Sessions } from '../../benchmark/judge/agentic/evidence.ts';
import { AGENTIC_SYSTEM, fenced, openingMessage } from '../../benchmark/judge/agentic/prompt.ts';
import { readReply, type AgenticReply, type AgenticVerdict } from '../../benchmark/judge/agentic/reply.ts';
import { answerTool, type ToolCall } from '../../benchmark/judge/agentic/tools.ts';
import type { SendChat, ChatReply, ChatMessage } from '../call/chat-types.ts';
import { newNonce } from '../rubric/ask-rubric.ts';
import type { LoadedSession } from './load-evidence.ts';

/** The limits of one evaluation. */
export interface AgenticBudget {
  /** Calls to the model, including the one that returns the verdict. */
  readonly calls: number;
  /** Tokens in and out, over all calls. */
  readonly tokens: number;
}
export const AGENTIC_BUDGET: AgenticBudget = { calls: 32, tokens: 400_000 };

export interface Evaluation {
  /** Null: the budget was exhausted or the replies were unusable; `error` says which. */
  readonly verdict: AgenticVerdict | null;
  readonly error: string | null;
  readonly raw: string;
  readonly tokens: number;
  readonly calls: number;
  /** The lookups in order: `read_request {"side":"agent","index":3}`. */
  readonly lookedUp: readonly string[];
}

export interface EvaluationInput {
  readonly instruction: string;
  readonly agent: LoadedSession;
  readonly reference: LoadedSession | null;
}

/** After this many consecutive replies that are neither a tool call nor a valid verdict, there is no verdict. */
const UNUSABLE_LIMIT = 3;
const MAX_TOKENS = 4096;

/** The state of a conversation. */
interface Conversation {
  readonly input: EvaluationInput;
  readonly sessions: Sessions;
  readonly budget: AgenticBudget;
  readonly nonce: string;
  readonly messages: ChatMessage[];
  readonly lookedUp: string[];
  tokens: number;
  calls: number;
  unusable: number;
}

/**
 * Lets the model look up evidence until it returns a verdict whose citations exist. The last call of the budget is reserved
 * for the verdict: the model is asked to decide with what it has seen.
 * @throws ProviderError
 */
export async function evaluate(ask: SendChat, input: EvaluationInput, budget = AGENTIC_BUDGET): Promise<Evaluation> {
  const nonce = newNonce();
  const sessions: Sessions = { agent: input.agent.evidence, reference: input.reference?.evidence ?? null };
  const messages: ChatMessage[] = [{ role: 'user', text: openingMessage(input.instruction, sessions, nonce) }];
  const conversation: Conversation = {
    input,
    sessions,
    budget,
    nonce,
    messages,
    lookedUp: [],
    tokens: 0,
    calls: 0,
    unusable: 0,
  };
  for (;;) {
    const reply = await ask({ system: AGENTIC_SYSTEM, messages, maxTokens: MAX_TOKENS });
    conversation.calls += 1;
    conversation.tokens += tokensOf(reply, messages);
    const ended = await takeReply(conversation, reply.text);
    if (ended === null) continue;
    const { tokens, calls, lookedUp } = conversation;
    return { ...ended, raw: reply.text, tokens, calls, lookedUp };
  }
}

/** Handles a reply: appends the next message and returns null, or returns the result of the evaluation. */
async function takeReply(
  conversation: Conversation,
  text: string,
): Promise<Pick<Evaluation, 'verdict' | 'error'> | null> {
  const read = readReply(text);
  const problem = problemOf(read, conversation.sessions);
  if (read.kind === 'Verdict' && problem === null) return { verdict: read.verdict, error: null };
  conversation.unusable = problem === null ? 0 : conversation.unusable + 1;
  if (conversation.unusable >= UNUSABLE_LIMIT) return { verdict: null, error: `unusable_reply: ${problem ?? ''}` };
  if (isSpent(conversation, { calls: 0, tokens: 1 })) return { verdict: null, error: 'budget_used_up' };
  const next = read.kind === 'Tool' ? await toolMessage(conversation, read.call) : correction(problem ?? '');
  const isLast = isSpent(conversation, { calls: 1, tokens: LAST_SHARE });
  conversation.messages.push({ role: 'assistant', text }, isLast ? { ...next, text: `${next.text}\n\n${LAST}` } : next);
  return null;
}

/** Whether no more than `keep` is left: a number of calls, or a share of the tokens. */
function isSpent({ budget, calls, tokens }: Conversation, keep: { calls: number; tokens: number }): boolean {
  return calls >= budget.calls - keep.calls || tokens >= keep.tokens * budget.tokens;
}

const LAST_SHARE = 0.9;
const LAST = 'Your budget is used up. Reply with the verdict now.';

function problemOf(read: AgenticReply, sessions: Sessions): string | null {
  if (read.kind === 'Unreadable') return read.problem;
  return read.kind === 'Verdict' ? verdictProblem(sessions, read.verdict) : null;
}

/** For a provider that reports no usage, tokens are estimated from the text: four characters per token. */
function tokensOf(reply: ChatReply, messages: readonly ChatMessage[]): number {
  if (reply.usage.total_tokens > 0) return reply.usage.total_tokens;
  return Math.ceil(messages.reduce((sum, message) => sum + message.text.length, reply.text.length) / 4);
}

function verdictProblem(sessions: Sessions, { match, evidence }: AgenticVerdict): string | null {
  // An agent that did nothing left nothing to cite: a mismatch needs no citation then.
  if (evidence.length === 0 && !match && isBlank(sessions.agent)) return null;
  if (evidence.length === 0) return 'the verdict cites nothing: name at least one piece of evidence';
  const problems = evidence.map((one) => citationProblem(sessions, one)).filter((one) => one !== null);
  return problems.length === 0 ? null : `${problems.join('; ')}: cite what the tools showed`;
}

function isBlank({ steps, requests, messages, screenshots, interception }: SessionEvidence): boolean {
  return [steps, requests, messages, screenshots].every((layer) => layer.length === 0) && interception === null;
}

function correction(problem: string): ChatMessage {
  return { role: 'user', text: `That does not hold: ${problem}.` };
}

async function toolMessage({ input, sessions, nonce, lookedUp }: Conversation, call: ToolCall): Promise<ChatMessage> {
  lookedUp.push(`${call.tool} ${JSON.stringify(call.args)}`);
  if (call.tool !== 'see_screenshot') {
    return { role: 'user', text: fenced(call.tool.toUpperCase(), answerTool(sessions, call), nonce) };
  }
  const picture = await pictureOf(input, call);
  const said = picture === null ? NO_PICTURE : 'the picture follows';
  return { role: 'user', text: fenced('SCREENSHOT', said, nonce), images: picture === null ? undefined : [picture] };
}

const NO_PICTURE = 'there is no screenshot with that time stamp: list_steps names those that there are';

async function pictureOf(input: EvaluationInput, { args }: ToolCall): Promise<Uint8Array | null> {
  if (typeof args['timestamp'] !== 'number') return null;
  const session = args['side'] === 'reference' ? input.reference : input.agent;
  return (await session?.screenshot(args['timestamp'])) ?? null;
}
