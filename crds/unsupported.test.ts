import { describe, expect, it } from 'vitest';
import { batchSpec } from './batch.ts';
import { runSpec } from './run.ts';
import { batchRun, fullBatch, fullRun, leastBatch, leastRun } from './samples.fixture.ts';
import { unsupportedFields } from './unsupported.ts';

const fieldsOf = (sentences: readonly string[]): string[] => sentences.map((text) => text.split(' ')[0] ?? '');

describe('fields that this version does not act on', () => {
  it('are none in the least batch, the least run and the run of a batch', () => {
    expect(unsupportedFields(batchSpec.parse(leastBatch()))).toEqual([]);
    expect(unsupportedFields(runSpec.parse(leastRun()))).toEqual([]);
    expect(unsupportedFields(runSpec.parse(batchRun()))).toEqual([]);
  });

  it('are none where a field is spelled out with its default', () => {
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

  it('are named, one sentence each, in a batch with everything', () => {
    const sentences = unsupportedFields(batchSpec.parse(fullBatch()));
    for (const sentence of sentences) {
      expect(sentence).toMatch(/^spec\.[A-Za-z.0-9]+ is not supported by this version: [^:]+\.$/);
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

  it('are refused in runs made by hand as well', () => {
    expect(fieldsOf(unsupportedFields(runSpec.parse(fullRun())))).toContain('spec.rerun');
  });
});
