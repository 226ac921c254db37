import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MockAgent } from 'undici';
import { describe, expect, it } from 'vitest';
import { parseModels } from '../../benchmark/models/models-file.ts';
import { loadPrices } from './load-prices.ts';

const entry = (base: string): NonNullable<ReturnType<ReturnType<typeof parseModels>['get']>> =>
  parseModels(`m: {base_url: "${base}", api_type: openai-completions, api_key: sk-secret}`).get('m')!;
const ROUTER = entry('https://openrouter.ai/api/v1');
const OTHER = entry('https://provider.test/v1');
const LISTING = { data: [{ id: 'm', pricing: { prompt: '0.1', completion: '0.2' } }] };
const folder = (): string => mkdtempSync(join(tmpdir(), 'prices-'));

/** The provider's listing with these answers in turn: an HTTP status with a body, or a broken line. */
async function load(
  directory: string,
  answers: readonly (readonly [number, unknown] | Error)[],
  model = ROUTER,
): Promise<{ ids: readonly string[]; problems: readonly string[] }> {
  const agent = new MockAgent();
  agent.disableNetConnect();
  for (const answer of answers) {
    const call = agent.get('https://openrouter.ai').intercept({ path: '/api/v1/models' });
    if (answer instanceof Error) call.replyWithError(answer);
    else call.reply(answer[0], typeof answer[1] === 'string' ? answer[1] : JSON.stringify(answer[1]));
  }
  const problems: string[] = [];
  const onProblem = (problem: string): number => problems.push(problem);
  const prices = await loadPrices(directory, 'prices.yaml', model, { onProblem, dispatcher: agent, pauseMs: 1 });
  return { ids: [...prices.keys()], problems };
}

describe("OpenRouter's price list", () => {
  it('is read without a problem', async () => {
    expect(await load(folder(), [[200, LISTING]])).toEqual({ ids: ['m'], problems: [] });
  });
  it('is requested again: one lost packet must not leave a capped run without prices', async () => {
    const answers = [new Error('reset'), [503, ''], [200, LISTING]] as const;
    expect(await load(folder(), answers)).toEqual({ ids: ['m'], problems: [] });
  });
  it.each([
    ['HTTP 403', [403, { error: 'sk-secret' }], /answered HTTP 403/],
    ['no JSON', [200, '<html>sk-secret'], /not a list of prices/],
    ['another document', [200, { models: [] }], /not a list of prices/],
    ['no answer', new Error('sk-secret'), /cannot be reached/],
  ] as const)('that is %s leaves no prices, and a sentence without what was said', async (_name, answer, sentence) => {
    const { ids, problems } = await load(folder(), [answer, answer, answer]);
    expect(ids).toEqual([]);
    expect(problems).toEqual([expect.stringMatching(sentence)]);
    expect(problems[0]).not.toContain('sk-secret');
  });
  it('is requested from OpenRouter alone', async () => {
    expect(await load(folder(), [], OTHER)).toEqual({ ids: [], problems: [] });
  });
});

describe('the price table', () => {
  it('wins over the list', async () => {
    const directory = folder();
    writeFileSync(join(directory, 'prices.yaml'), 'mine: {input: 1, output: 2}');
    expect((await load(directory, [[200, LISTING]])).ids).toEqual(['m', 'mine']);
  });
  it('is an error when it exists and cannot be read, not a table without prices', async () => {
    const directory = folder();
    mkdirSync(join(directory, 'prices.yaml'));
    await expect(load(directory, [], OTHER)).rejects.toThrow(/prices\.yaml .*EISDIR/);
  });
});
