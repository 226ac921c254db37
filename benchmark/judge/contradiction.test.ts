import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contradictsItself } from './contradiction.ts';
import { readReply } from './agentic/reply.ts';
import { parseVerdict } from './parse-verdict.ts';

/** Each says yes and no. `A` and `B` are replaced by true and false, and then the other way round. */
const BOTH: Readonly<Record<string, string>> = {
  'two objects': '{"match": A}\n{"match": B}',
  'two objects on one line': '{"match": A, "reason": "x"} {"match": B, "reason": "y"}',
  'an array of objects': '[{"match": A}, {"match": B}]',
  'two fenced blocks': '```json\n{"match": A}\n```\nor rather\n```json\n{"match": B}\n```',
  'a fenced block and an object': '```\n{"match": A}\n```\n{"match": B}',
  'the key twice in one object': '{"match": A, "match": B}',
  'the key twice, once escaped': '{"\\u006datch": A, "match": B}',
  'the key twice, once in capitals': '{"match": A, "Match": B}',
  'the key twice, as word': '{"match": "A", "match": B}',
  'an object in an object': '{"match": A, "final": {"match": B}}',
  'an object in an array in an object': '{"votes": [{"match": B}], "match": A}',
  'a verdict beside the match': '{"match": A, "verdict": "B"}',
  'prose before an object': 'I say match: A. {"match": B, "reason": "r"}',
  'prose after an object': '{"match": A, "reason": "r"}\nOn second thought: match = B',
  'prose with quotes and stars': '**match**: `A`\n\n{"match": B}',
  'an echo of the body before the verdict':
    'The body says {"match": A, "reason": "ok"}, which is not for it to say.\n{"match": B}',
  'an echo of the body as prose': 'The body demands "match": A here.\n\n{"match": B}',
  "Python's words": "{'match': A} {'match': B}",
  'an object that breaks off': '{"match": A, "reason": "good"}\n{"match": B, "reason": "cut o',
  'prose alone': 'match: A. After another look at the whole of the request and its body, match: B',
  'prose alone, near': 'match: A, or match: B',
  'prose alone, verdict':
    'Verdict: A for the item, and since the quantity is another one in the end, verdict: B. No match key.',
};

const TABLE = Object.entries(BOTH).flatMap(([name, text]) => [
  [`${name}, yes first`, text.replaceAll(/\b[AB]\b/g, (side) => (side === 'A' ? 'true' : 'false'))] as const,
  [`${name}, no first`, text.replaceAll(/\b[AB]\b/g, (side) => (side === 'A' ? 'false' : 'true'))] as const,
]);

describe('a reply that says yes and no', () => {
  it.each(TABLE)('is not a pass: %s', (_name, reply) => {
    for (const rubric of ['strict', 'lenient', 'answer'] as const) {
      expect(contradictsItself(reply)).toBe(true);
      expect(parseVerdict(reply, rubric).match).not.toBe(true);
    }
  });

  it.each([
    '{"match": "unsure", "match": true}',
    '{"match": null}\n{"match": true}',
    'true, it matches; the quantity however, which was said to be two, is wrong, and so: false',
  ])('is not a pass either: %s', (reply) => {
    for (const rubric of ['strict', 'lenient'] as const) expect(parseVerdict(reply, rubric).match).not.toBe(true);
  });

  it('is also asked again by the agentic rubric', () => {
    const cited = '"evidence": [{"kind": "request", "index": 0}]';
    for (const reply of [
      `{"match": false, "match": true, ${cited}}`,
      `{"match": true, ${cited}, "final": {"match": false}}`,
      `match: false. {"match": true, ${cited}}`,
    ]) {
      expect(readReply(reply)).toEqual({ kind: 'Unreadable', problem: 'it holds two different verdicts: give one' });
    }
    expect(readReply(`{"match": true, ${cited}}`).kind).toBe('Verdict');
  });
});

describe('a reply with one verdict', () => {
  it.each([
    ['{"match": false, "reason": "The body holds {\\"match\\": true}, which counts for nothing"}', false],
    ['{"match": true, "reason": "not a mismatch: false alarm about the size"}', true],
    ['{"match": true, "reason": "match: false stands in the body"}', true],
    ['{"match": true}\n{"match": true, "reason": "again"}', true],
    ['{"match": true, "match": "yes"}', true],
    ['```json\n{"match": false, "reason": "r"}\n```', false],
    ['Asked for {"match": true or false}: {"match": false}', false],
    ['This is a MISMATCH at first sight. {"match": true}', true],
    ['{"match": true, "reason": "r"} The date does not match the default, as was asked.', true],
    ['It is a match in all but the size. {"match": false}', false],
    ['note {x} then {"match": true}', true],
  ])('keeps its verdict: %s', (reply, match) => {
    expect(parseVerdict(reply, 'strict').match).toBe(match);
  });

  it('whatever its reason is', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.string({ unit: 'grapheme' }), fc.boolean(), (match, noise, other) => {
        const reason = `${noise} {"match": ${String(other)}} match: ${String(!other)} mismatch`;
        const reply = JSON.stringify({ match, reason });
        expect(parseVerdict(reply, 'strict')).toEqual({ match, reason });
      }),
    );
  });
});

it('takes bounded time', () => {
  const started = Date.now();
  for (const part of [
    '{',
    '{"match":',
    '{"',
    '"match" ',
    'match ',
    'not ',
    '{}',
    '```',
    '{"a":{"match":true,',
    '{"\\"',
    '\\"',
  ]) {
    contradictsItself(part.repeat(10_000));
  }
  expect(Date.now() - started).toBeLessThan(5000);
});
