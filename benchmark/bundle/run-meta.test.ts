import { describe, expect, it } from 'vitest';
import { classifyRun } from '../outcome/upstream-category.ts';
import { buildRunMeta, upstreamTimestamp, type RunMetaFacts } from './run-meta.ts';
import { parseTask } from '../task/task.ts';
import { summarizeUsage } from '../usage/summary.ts';

const task = parseTask(
  JSON.stringify({
    instruction: 'do it',
    eval_schema: { url_pattern: 'x', method: 'POST' },
    time_limit: 30,
    metadata: { task_id: 1, metaclass: 'a' },
  }),
);
const facts = (): RunMetaFacts => ({
  caseName: '001-case',
  task,
  taskJsonSha256: 'db95',
  model: 'm1',
  harness: 'openclaw',
  startedAt: Date.UTC(2026, 10, 29, 20, 43, 42),
  endedAt: Date.UTC(2026, 10, 29, 20, 44, 13, 600),
  intercepted: true,
  classification: classifyRun({
    intercepted: true,
    stopReason: 'eval_matched',
    actions: 1,
    requests: 1,
    messages: 1,
    apiCalls: 1,
    recordingBytes: 1,
    recordingRequired: true,
    missingFiles: [],
    apiOrCreditEvidence: null,
    hasData: true,
  }),
  metrics: {
    actions: 1,
    requests: 1,
    messages: 1,
    screenshots: 1,
    recordingBytes: 1,
    apiCalls: 1,
    stopReason: 'eval_matched',
    missingFiles: [],
    apiOrCreditEvidence: null,
    usage: { ...summarizeUsage([]) },
  },
  runtime: {},
  browserRuntime: { provider: 'local' },
  runFlags: {},
  clawbench: { attempt: 1 },
});

describe('buildRunMeta', () => {
  it("has upstream's keys in upstream's order", () => {
    expect(Object.keys(buildRunMeta(facts())).join(' ')).toBe(
      'test_case task_id metaclass task_json_sha256 instruction model harness thinking_level temperature max_tokens email_used timestamp ' +
        'time_limit_minutes duration_seconds intercepted result_category failure_category infra_failure adjusted_eligible infra_flags ' +
        'run_metrics usage runtime browser_runtime task model_config run_flags clawbench',
    );
  });
  it('rounds durations, writes UTC, and has no stop reason after an interception', () => {
    const meta = buildRunMeta(facts());
    expect(meta).toMatchObject({
      timestamp: '20261129-204342',
      duration_seconds: 32,
      run_metrics: { stop_reason: null },
      usage: { usage_source: 'transient_usage_jsonl' },
    });
    expect(upstreamTimestamp(0)).toBe('19700101-000000');
  });
});
