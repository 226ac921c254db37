import { expect, it } from 'vitest';
import { citationProblem, type SessionEvidence } from '../../../benchmark/judge/agentic/evidence.ts';
import { AGENTIC_SYSTEM, fenced, openingMessage } from '../../../benchmark/judge/agentic/prompt.ts';
import { readReply } from '../../../benchmark/judge/agentic/reply.ts';
import { answerTool } from '../../../benchmark/judge/agentic/tools.ts';
import { nextReply, offersTools } from './agentic.ts';

const NOTHING: SessionEvidence = {
  steps: [],
  requests: [],
  messages: [],
  screenshots: [],
  interception: null,
  meta: {},
  recordingBytes: 0,
};
const FERRY = 'Which is the last ferry on a Sunday, and from which pier?';
const typed = (value: string): SessionEvidence => ({
  ...NOTHING,
  steps: [
    { type: 'pageLoad', url: 'http://almanac.demo.test/' },
    { type: 'input', url: 'http://127.0.0.1:7878/submit', value },
  ],
});
const caught = (answer: string): SessionEvidence => ({
  ...NOTHING,
  interception: { intercepted: true, request: { url: '/api/task-submit', method: 'POST', body: { answer } } },
});

/** Runs the evaluation as the judge Job does, and returns the requested tools and the verdict. */
function evaluate(
  agent: SessionEvidence,
  reference: SessionEvidence | null = null,
): { tools: string[]; verdict: unknown } {
  const sessions = { agent, reference };
  const messages = [openingMessage(FERRY, sessions, 'n0nce')];
  const tools: string[] = [];
  for (;;) {
    const reply = readReply(JSON.stringify(nextReply(messages)));
    if (reply.kind === 'Verdict') {
      expect(reply.verdict.evidence.map((one) => citationProblem(sessions, one)).filter(Boolean)).toEqual([]);
      return { tools, verdict: reply.verdict };
    }
    if (reply.kind === 'Unreadable') throw new Error(reply.problem);
    tools.push(reply.call.tool);
    messages.push(fenced(reply.call.tool, answerTool(sessions, reply.call), 'n0nce'));
  }
}

it('recognizes the agentic prompt by its tools', () => {
  expect([offersTools(AGENTIC_SYSTEM), offersTools('You are a strict examiner.')]).toEqual([true, false]);
});

it.each([
  ['the caught request, right', caught('21:40 from pier C'), true, 1],
  ['the caught request, wrong', caught('20:10 from pier A'), false, 1],
  ['the steps, right', typed('21:40 from pier C'), true, 1],
  ['the steps, wrong', typed('20:10 from pier A'), false, 1],
  ['nothing at all', NOTHING, false, 0],
])('rules on %s, and cites what is there', (_what, agent, match, citations) => {
  const { verdict } = evaluate(agent);
  expect(verdict).toMatchObject({ match });
  expect((verdict as { evidence: unknown[] }).evidence).toHaveLength(citations);
});

it('compares with the human reference session when there is one', () => {
  expect(evaluate(NOTHING, NOTHING).tools[0]).toBe('compare_steps');
  expect(evaluate(NOTHING).tools[0]).toBe('list_steps');
});
