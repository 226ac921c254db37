import { describe, expect, it } from 'vitest';
import { batchSpec } from './batch.ts';
import { runSpec } from './run.ts';
import { batchRun, fullBatch, fullRun, leastBatch, leastRun } from './samples.fixture.ts';
import { unsupportedFields } from './unsupported.ts';

const fieldsOf = (sentences: readonly string[]): string[] => sentences.map((text) => text.split(' ')[0] ?? '');

describe('fields that this version does not implement', () => {
  it('are not used by the minimal batch, the minimal run and the run of a batch', () => {
    expect(unsupportedFields(batchSpec.parse(leastBatch()))).toEqual([]);
    expect(unsupportedFields(runSpec.parse(leastRun()))).toEqual([]);
    expect(unsupportedFields(runSpec.parse(batchRun()))).toEqual([]);
  });

  it('do not count as used when set to their default', () => {
    const spec = {
      ...leastBatch(),
      queueName: '',
      mail: { provider: 'None' as const, secretRef: { name: 'mail' } },
      retry: { rules: [] },
      browser: { runtime: 'Local' as const, liveView: false },
      judge: { modelsSecretRef: { name: 'm' }, model: 'j', agentic: { enabled: false } },
    };
    expect(unsupportedFields(batchSpec.parse(spec))).toEqual([]);
  });

  it('are named in one message each for a batch with everything', () => {
    const sentences = unsupportedFields(batchSpec.parse(fullBatch()));
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^spec\.[A-Za-z.0-9]+ is not supported in this version; [^:;]+\.$/);
    }
    expect(fieldsOf(sentences)).toEqual([
      'spec.limits',
      'spec.budget.costUSD',
      'spec.budget.tokens',
      'spec.rerun',
      'spec.resume',
      'spec.queueName',
      'spec.retry.rules',
      'spec.browser.runtime',
      'spec.browser.liveView',
      'spec.browser.locale',
      'spec.browser.timezone',
      'spec.browser.profile',
      'spec.browser.extensions',
      'spec.browser.remote',
      'spec.network.upstreamProxySecretRef',
      'spec.network.httpProxySecretRef',
      'spec.network.caBundleConfigMapRef',
    ]);
  });

  it('are refused in standalone runs as well', () => {
    expect(fieldsOf(unsupportedFields(runSpec.parse(fullRun())))).toContain('spec.rerun');
  });
});
