import { wholeObject } from './reply-object.ts';

/**
 * A judge's reply without the reasoning that some models and servers include in the text: think tags (DeepSeek, Qwen,
 * Kimi, Magistral, Seed and others) and the channels of the harmony format (gpt-oss). A draft in the reasoning is not
 * the verdict, and together with the verdict it would make every such reply a contradiction.
 *
 * Pages can contain these markers too, and a judge quotes pages. So a marker counts only before the first brace of the reply,
 * and of several end markers the first one counts that only one JSON object follows: a quoted end marker is followed by the
 * rest of the quotation.
 *
 * @returns the text after the reasoning, trimmed; empty when the reasoning does not end.
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
  /** Null: the text after the opening marker is the reply. */
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
  // For servers that drop the special tokens but keep their names.
  { opens: /^analysis(?=[\s\S]*assistantfinal)/, ends: /assistantfinal/g },
];

function isBehindBrace(text: string, at: number): boolean {
  const brace = text.indexOf('{');
  return brace !== -1 && brace < at;
}

function behindReasoning(text: string, ends: RegExp | null): string {
  if (ends === null) return withoutEndTokens(text);
  const candidates = [...text.matchAll(ends)].map((end) => withoutEndTokens(text.slice(end.index + end[0].length)));
  return candidates.find((candidate) => wholeObject(candidate) !== null) ?? candidates.at(0) ?? '';
}

/**
 * With chat templates that open the reasoning in the prompt, the reply contains only the end marker. It looks like a quoted one,
 * so it counts only when no brace precedes it and one JSON object follows it. A reply with a JSON draft before it is kept
 * whole; if the two differ, it contradicts itself and the judge is asked again.
 */
function withoutUnopened(text: string): string {
  const end = /<\/(?:think|thinking)>/i.exec(text);
  if (end === null) return text;
  const behind = text.slice(end.index + end[0].length).trim();
  return isBehindBrace(text, end.index) || wholeObject(behind) === null ? text : behind;
}

function withoutEndTokens(text: string): string {
  let left = text.trimEnd();
  for (let token = endToken(left); token !== undefined; token = endToken(left))
    left = left.slice(0, -token.length).trimEnd();
  return left.trim();
}

const END_TOKENS = ['<|return|>', '<|end|>', '<|call|>', '<|im_end|>', '<|eot_id|>'];

/** Not by an expression that is anchored at the end: on a reply of many such tokens it takes cubic time. */
function endToken(text: string): string | undefined {
  return END_TOKENS.find((token) => text.endsWith(token));
}
