import { z } from 'zod';
import { parseJson } from '../../text/json.ts';
import { coerceMatch } from '../verdict-words.ts';
import { contradictsItself } from '../contradiction.ts';
import { CITABLE_KINDS, SIDES, type Citation } from './evidence.ts';
import { TOOLS, type ToolCall, type ToolName } from './tools.ts';

const citation = z.object({
  side: z.enum(SIDES).default('agent'),
  kind: z.enum(CITABLE_KINDS),
  index: z.number().int().default(0),
  shows: z.string().max(2000).default(''),
});
const verdict = z.object({
  match: z.unknown().transform(coerceMatch),
  reason: z.string().default(''),
  evidence: z.array(citation).max(50),
});
const toolCall = z.object({
  tool: z.enum(Object.keys(TOOLS) as [ToolName, ...ToolName[]]),
  args: z.record(z.string(), z.unknown()).default({}),
});

export interface AgenticVerdict {
  readonly match: boolean;
  readonly reason: string;
  readonly evidence: readonly Citation[];
}

export type AgenticReply =
  | { readonly kind: 'Tool'; readonly call: ToolCall }
  | { readonly kind: 'Verdict'; readonly verdict: AgenticVerdict }
  /** `problem` says what the model has to change. */
  | { readonly kind: 'Unreadable'; readonly problem: string };

/** Parses one reply: a tool call or a verdict, as one JSON object. Never throws. */
export function readReply(text: string): AgenticReply {
  const [start, end] = [text.indexOf('{'), text.lastIndexOf('}')];
  const parsed = end < start || start === -1 ? null : parseJson(text.slice(start, end + 1));
  if (parsed?.ok !== true) return unreadable('reply with one JSON object and nothing else');
  const call = toolCall.safeParse(parsed.value);
  if (call.success) return { kind: 'Tool', call: call.data };
  return contradictsItself(text) ? unreadable('it holds two different verdicts: give one') : readVerdict(parsed.value);
}

function readVerdict(value: unknown): AgenticReply {
  const given = verdict.safeParse(value);
  if (!given.success) {
    const field = given.error.issues[0]?.path.join('.') ?? '';
    return unreadable(`it is neither a call of a tool that exists nor a verdict (look at ${field || 'the whole'})`);
  }
  const { match, reason, evidence } = given.data;
  if (match === null) return unreadable('"match" must be true or false');
  return { kind: 'Verdict', verdict: { match, reason, evidence } };
}

function unreadable(problem: string): AgenticReply {
  return { kind: 'Unreadable', problem };
}
