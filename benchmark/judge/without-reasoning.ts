import { isObject, parseJson } from '../text/json.ts';

/**
 * A judge's reply without the reasoning that some models and servers leave in the text: think tags (DeepSeek, Qwen,
 * Kimi, Magistral, Seed and others) and the channels of the harmony format (gpt-oss). A draft in the reasoning is not
 * the verdict, and read together with the verdict it makes every such reply a contradiction.
 *
 * Pages know these marks too, and a judge quotes pages. So a mark counts only before the first brace of the reply, and
 * of several ends of the reasoning the first one counts behind which nothing but one JSON object follows: a quoted end
 * is followed by the rest of the quotation.
 *
 * @returns the text behind the reasoning, trimmed; empty when the reasoning never ended.
 */
export function withoutReasoning(reply: string): string {
  const text = reply.trim();
  for (const { opens, ends } of MARKS) {
    const opening = opens.exec(text);
    if (opening === null || isBehindBrace(text, opening.index)) continue;
    const behind = behindReasoning(text.slice(opening.index + opening[0].length), ends);
    return (text.slice(0, opening.index) + behind).trim();
  }
  return withoutUnopened(text);
}

interface Mark {
  readonly opens: RegExp;
  /** Null: what follows the opening is the reply. */
  readonly ends: RegExp | null;
}

const TAGS = 'think|thinking|thought|thoughts|reasoning|reflection|seed:think|antml:thinking';
const MARKS: readonly Mark[] = [
  { opens: new RegExp(`<(?:${TAGS})>`, 'i'), ends: new RegExp(`</(?:${TAGS})>`, 'gi') },
  { opens: /◁think▷/, ends: /◁\/think▷/g },
  { opens: /\[THINK\]/, ends: /\[\/THINK\]/g },
  {
    opens: /<\|channel\|>\s*(?:analysis|commentary)/,
    ends: /<\|channel\|>\s*final\s*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>/g,
  },
  { opens: /^<\|channel\|>\s*final\s*<\|message\|>/, ends: null },
  // Servers that drop the special tokens and keep their names.
  { opens: /^analysis(?=[\s\S]*assistantfinal)/, ends: /assistantfinal/g },
];

function isBehindBrace(text: string, at: number): boolean {
  const brace = text.indexOf('{');
  return brace !== -1 && brace < at;
}

function behindReasoning(text: string, ends: RegExp | null): string {
  if (ends === null) return withoutEndTokens(text);
  const candidates = [...text.matchAll(ends)].map((end) => withoutEndTokens(text.slice(end.index + end[0].length)));
  return candidates.find(isOneObject) ?? candidates.at(0) ?? '';
}

/**
 * Chat templates that open the reasoning in the prompt leave only its end in the reply. Such an
 * end looks like a quoted one, so it counts only when no brace stands before it and one JSON object follows it; a reply
 * with a draft in JSON before it stays whole, contradicts itself if the two differ, and is asked for again.
 */
function withoutUnopened(text: string): string {
  const end = /<\/(?:think|thinking)>/i.exec(text);
  if (end === null) return text;
  const behind = text.slice(end.index + end[0].length).trim();
  return isBehindBrace(text, end.index) || !isOneObject(behind) ? text : behind;
}

function withoutEndTokens(text: string): string {
  return text.replace(/(?:<\|(?:return|end|call|im_end|eot_id)\|>\s*)+$/, '').trim();
}

/** The text is one JSON object, bare or in a code fence. */
function isOneObject(text: string): boolean {
  const lines = text.split('\n').filter((line) => !line.trim().startsWith('```'));
  const parsed = parseJson(lines.join('\n').trim());
  return parsed.ok && isObject(parsed.value);
}
