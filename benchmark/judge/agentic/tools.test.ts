import { describe, expect, it } from 'vitest';
import {
  citationProblem,
  parseRows,
  sessionSteps,
  type Citation,
  type SessionEvidence,
  type Sessions,
} from './evidence.ts';
import { AGENTIC_SYSTEM, fenced, openingMessage } from './prompt.ts';
import { readReply } from './reply.ts';
import { answerTool, TOOLS, type ToolName } from './tools.ts';

const evidence = (more: Partial<SessionEvidence> = {}): SessionEvidence => ({
  steps: [
    { type: 'pageLoad', url: 'https://shop.test/', timestamp: 1000, title: 'Shop' },
    { type: 'click', url: 'https://shop.test/a', timestamp: 2000, target: { tagName: 'BUTTON', id: 'buy' } },
    { type: 'input', url: 'https://shop.test/a', timestamp: 3000, target: { tagName: 'INPUT' }, value: 'two' },
  ],
  requests: [
    { method: 'GET', url: 'https://shop.test/a', resource_type: 'Document' },
    { method: 'POST', url: 'https://shop.test/order', body: { quantity: 2 } },
  ],
  messages: [{ role: 'assistant', content: 'done' }],
  screenshots: [1000],
  interception: { request: { url: 'https://shop.test/order' } },
  meta: {
    instruction: 'buy',
    judge: { match: true },
    judge_match: true,
    pass: true,
    judge_context: 'GOLD',
    notes: ['n'],
  },
  recordingBytes: 7,
  ...more,
});
const both: Sessions = { agent: evidence(), reference: evidence({ steps: [], interception: null }) };
const alone: Sessions = { agent: evidence(), reference: null };
const ask = (tool: ToolName, args: Record<string, unknown> = {}, sessions = both): string =>
  answerTool(sessions, { tool, args });

describe('the tools', () => {
  it('list steps with their index, element, value and screenshot', () => {
    expect(ask('list_steps')).toBe(
      [
        '0: pageLoad https://shop.test/ = Shop [screenshot 1000]',
        '1: click https://shop.test/a BUTTON buy',
        '2: input https://shop.test/a INPUT = two',
        '(end)',
      ].join('\n'),
    );
    expect(ask('list_steps', { from: 2 })).toBe('2: input https://shop.test/a INPUT = two\n(end)');
    expect(ask('list_steps', { from: -3.7 })).toBe(ask('list_steps'));
    expect(ask('list_steps', { side: 'reference' })).toBe('(end)');
  });
  it('truncate long lists and lines, and say how much is left', () => {
    const steps = Array.from({ length: 100 }, () => ({ type: 'click', url: 'u'.repeat(999) }));
    const lines = ask('list_steps', {}, { agent: evidence({ steps }), reference: null }).split('\n');
    expect(lines).toHaveLength(41);
    expect(lines[0]).toHaveLength(263);
    expect(lines.at(-1)).toBe('(60 more)');
    const messages = Array.from({ length: 30 }, () => ({ content: 'x' }));
    const told = ask('list_messages', {}, { agent: evidence({ messages }), reference: null }).split('\n');
    expect([told.length, told.at(-1)]).toEqual([21, '(10 more)']);
  });
  it('list requests, optionally those that contain a text', () => {
    expect(ask('list_requests')).toBe(
      '0: GET https://shop.test/a Document\n1: POST https://shop.test/order with a body\n(end)',
    );
    expect(ask('list_requests', { containing: 'order' })).toBe('1: POST https://shop.test/order with a body\n(end)');
  });
  it.each([
    ['read_step', { index: 1 }, '"id": "buy"'],
    ['read_request', { index: 1 }, '"quantity": 2'],
    ['read_message', { index: 0 }, '"content": "done"'],
    ['read_interception', {}, '"url": "https://shop.test/order"'],
    ['read_step', { index: 9 }, 'there is nothing at that index'],
    ['read_step', { index: '1' }, 'there is nothing at that index'],
    ['read_request', {}, 'there is nothing at that index'],
    ['read_interception', { side: 'reference' }, 'nothing was intercepted in this session'],
    ['read_meta', { side: 'agent' }, '"recording_bytes": 7'],
    ['read_meta', { side: 'nobody' }, 'side must be "agent" or "reference"'],
    ['see_screenshot', {}, ''],
  ] as const)('%s %j', (tool, args, shown) => {
    expect(ask(tool, args)).toContain(shown);
  });
  it('hide earlier verdicts and hidden parts of the task', () => {
    const shown = ask('read_meta');
    expect(shown).toContain('"instruction": "buy"');
    expect(shown).not.toMatch(/judge|pass|GOLD/);
  });
  it('compare both sessions side by side', () => {
    const reference = evidence({ steps: [evidence().steps[0]!, { type: 'click', url: 'https://shop.test/b' }] });
    expect(ask('compare_steps', {}, { agent: evidence(), reference })).toBe(
      [
        '0: agent 0 = reference 0: pageLoad https://shop.test/ = Shop',
        '1: agent 1 = –: click https://shop.test/a BUTTON buy',
        '2: agent 2 = –: input https://shop.test/a INPUT = two',
        '3: – = reference 1: click https://shop.test/b',
        '(0 more)',
      ].join('\n'),
    );
    expect(ask('compare_steps', { from: 2 }, { agent: evidence(), reference }).split('\n')[0]).toMatch(/^2: agent 2/);
  });
  it.each([
    ['compare_steps', {}],
    ['list_steps', { side: 'reference' }],
  ] as const)('%s says that there is no reference', (tool, args) => {
    expect(ask(tool, args, alone)).toContain('there is no reference session');
  });
});

describe('a citation', () => {
  const cite = (kind: Citation['kind'], index: number, side: Citation['side'] = 'agent'): Citation => ({
    side,
    kind,
    index,
    shows: '',
  });
  it.each([
    ['step', 2, 3],
    ['request', 1, 2],
    ['message', 0, 1],
    ['screenshot', 1000, 1001],
    ['step', 0, -1],
  ] as const)('%s %i exists, %i does not', (kind, there, missing) => {
    expect(citationProblem(both, cite(kind, there))).toBeNull();
    expect(citationProblem(both, cite(kind, missing))).toBe(`agent ${kind} ${String(missing)} does not exist`);
  });
  it('of a missing interception or session is not valid', () => {
    expect(citationProblem(both, cite('interception', 0))).toBeNull();
    expect(citationProblem(both, cite('interception', 0, 'reference'))).toMatch(/does not exist/);
    expect(citationProblem(alone, cite('step', 0, 'reference'))).toMatch(/there is no reference session/);
  });
});

describe('rows', () => {
  it('that are steps: no scrolling, and only keys that act by themselves', () => {
    const rows = ['keyup', 'scroll', 'click'].map((type) => ({ type }));
    const keys = ['a', 'Enter', 'Escape', 'Tab'].map((key) => ({ type: 'keydown', key }));
    expect(sessionSteps([...rows, ...keys])).toEqual([{ type: 'click' }, ...keys.slice(1)]);
  });
  it('of a file: objects only', () => {
    expect(parseRows('{"a":1}\n\n  \n[1]\n"x"\nnull\n{"b":2}', (line) => JSON.parse(line) as unknown)).toEqual([
      { a: 1 },
      { b: 2 },
    ]);
  });
});

describe('the conversation', () => {
  it('names every tool and fences recorded content', () => {
    for (const name of Object.keys(TOOLS)) expect(AGENTIC_SYSTEM).toContain(`\n${name} {`);
    expect(fenced('STEP', 'a n0nce b', 'n0nce')).toBe('<<n0nce STEP>>\na  b\n<<n0nce END>>');
  });
  it('starts with the task, the amount of evidence, and a note on a missing reference', () => {
    const opening = openingMessage('buy', both, 'n0nce');
    expect(opening).toContain('<<n0nce INSTRUCTION>>\nbuy\n');
    expect(opening).toContain(
      "The agent's session: 3 steps, 2 requests, 1 messages, 1 screenshots; the last request was",
    );
    expect(opening).toContain("The person's session: 0 steps, 2 requests, 1 messages, 1 screenshots; nothing was");
    expect(openingMessage('buy', alone, 'n')).toContain('that it is missing is no reason for a no');
  });
  it.each([
    ['{"tool": "list_steps"}', { kind: 'Tool', call: { tool: 'list_steps', args: {} } }],
    ['look: {"tool": "read_step", "args": {"index": 1}}', { kind: 'Tool' }],
    ['no JSON', { problem: 'reply with one JSON object and nothing else' }],
    ['} {', { problem: 'reply with one JSON object and nothing else' }],
    ['{"tool": "shell"}', { problem: expect.stringContaining('(look at match)') }],
    ['[]', { problem: 'reply with one JSON object and nothing else' }],
    ['{"match": "maybe", "evidence": []}', { problem: '"match" must be true or false' }],
    ['{"match": true, "evidence": "x"}', { problem: expect.stringContaining('(look at evidence)') }],
    [
      '{"match": "no", "evidence": [{"kind": "step"}]}',
      { kind: 'Verdict', verdict: { match: false, reason: '', evidence: [{ side: 'agent', index: 0, shows: '' }] } },
    ],
  ])('%s', (text, read) => {
    expect(readReply(text)).toMatchObject(read);
  });
});
