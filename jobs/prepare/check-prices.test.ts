import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { batchSpec } from '../../crds/batch.ts';
import { leastBatch } from '../../crds/samples.fixture.ts';
import { checkPrices } from './check-prices.ts';

const MODELS = `
a: {base_url: 'https://a.test/v1', api_type: openai-completions, api_key: sk-1}
b: {base_url: 'https://openrouter.ai/api/v1', api_type: openai-completions, api_key: sk-1}
`;

function check(models: string[], prices: string | null, budget: object = { perRunCostUSD: 1 }): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'prices-'));
  writeFileSync(join(directory, 'models.yaml'), MODELS);
  if (prices !== null) writeFileSync(join(directory, 'prices.yaml'), prices);
  const secretRef = { name: 'mine' };
  const spec = batchSpec.parse({ ...leastBatch(), models: { secretRef, names: models }, budget });
  return checkPrices({ spec, harnessUsesModel: true }, models, directory);
}

it.each([
  ['a price that is written', ['a', 'b'], 'a: {input: 1, output: 2}', undefined],
  ['OpenRouter’s own prices', ['b'], null, undefined],
  ['no cap on cost', ['a'], null, { perRunTokens: 9 }],
])('takes %s', async (_what, models, prices, budget) => {
  await expect(check(models, prices, budget)).resolves.toBeUndefined();
});

it('refuses a cost cap without a price, and names the remedy', async () => {
  await expect(check(['b', 'a'], 'c: {input: 1, output: 2}')).rejects.toThrow(
    /^spec\.budget\.perRunCostUSD: model a has no price; add its price to prices\.yaml in Secret mine/,
  );
});

it('refuses an invalid price table, with or without a cap', async () => {
  await expect(check(['a'], 'a: {input: much}', { perRunTokens: 9 })).rejects.toThrow(
    /^spec\.models\.secretRef: Secret mine: prices of "a"/,
  );
});
