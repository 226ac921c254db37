import { describe, expect, it } from 'vitest';
import { OUTCOMES, REASONS, RETRIED_OUTCOMES } from '../outcome/outcome.ts';
import { suiteNotFound } from '../task/suite.ts';
import { judgeRow, judgeMessage, prepareMessage, taskRow } from './job-messages.ts';
import { envFile, envSource } from './job-paths.ts';
import { gatewayConfig } from './model-gateway.ts';
import { outcomeMessage } from './outcome-message.ts';
import { PORTS, RUN_FILES } from './pod-paths.ts';
import { runConfig } from './run-config.ts';
import { reportedUsage } from './reported-usage.ts';

const RUN = {
  namespace: 'n',
  run: 'r',
  runUID: 'u',
  batch: 'b',
  batchUID: 'v',
  attempt: 1,
  suite: 's',
  caseName: 'c',
  taskSha256: null,
  model: 'm',
  harness: 'h',
  repetition: 1,
  runPrefix: 'm/batch-b/m/r',
  artifacts: { kind: 'directory', path: '/x' },
};

describe('a run’s configuration', () => {
  it('has the deadlines of interfaces and the benchmark where it says none', () => {
    expect(runConfig.parse(RUN)).toMatchObject({
      generation: 1,
      modelGateway: false,
      judged: true,
      timeLimitSeconds: null,
      evidenceIntervalSeconds: 10,
      deadlines: { setupSeconds: 120, agentStartSeconds: 120, idleSeconds: 300, tailSeconds: 2, agentKillSeconds: 5 },
      network: { allow: [], map: [] },
      browser: { viewport: { width: 1920, height: 1080 }, recording: 'Video', isolation: 'Namespace' },
      mail: { provider: 'None' },
      images: {},
    });
  });
  it('keeps what it says beside the defaults of the rest', () => {
    const parsed = runConfig.parse({
      ...RUN,
      deadlines: { idleSeconds: 9 },
      artifacts: { kind: 's3', s3: { bucket: 'b' } },
    });
    expect(parsed.deadlines).toMatchObject({ idleSeconds: 9, tailSeconds: 2 });
    expect(parsed.artifacts).toEqual({
      kind: 's3',
      s3: { bucket: 'b', prefix: '', region: 'us-east-1', forcePathStyle: true },
    });
  });
  it.each([
    ['attempt', 0],
    ['repetition', 1.5],
    ['artifacts', { kind: 'ftp' }],
    ['browser', { isolation: 'None' }],
    ['taskSha256', undefined],
  ])('refuses %s: %j', (field, value) => {
    expect(runConfig.safeParse({ ...RUN, [field]: value }).success).toBe(false);
  });
});

describe('messages', () => {
  const outcome = {
    v: 1,
    attempt: 1,
    outcome: 'Failed',
    reason: 'AgentExited',
    message: '',
    stopReason: 'agent_exited',
    resultCategory: 'model_not_intercepted',
    intercepted: false,
    evidence: 'Complete',
    prefix: 'p/a1/',
    times: { started: 1, armed: null, agentStarted: null, stopped: null, evidenceSafe: null },
    counts: { actions: 0, requests: 0, screenshots: 0, bytes: 0 },
    usage: { costUSD: null, tokens: 0, apiCalls: 0 },
    isolation: 'Namespace',
    agentIsolated: true,
  };
  it('an outcome is one of the known words, and unclaimed unless it says so', () => {
    expect(outcomeMessage.parse(outcome).claimedByAttempt).toBeNull();
    for (const wrong of [{ outcome: 'Won' }, { reason: 'Luck' }, { v: 2 }, { evidence: 'Some' }]) {
      expect(outcomeMessage.safeParse({ ...outcome, ...wrong }).success).toBe(false);
    }
    expect([new Set(OUTCOMES).size, new Set(REASONS).size]).toEqual([OUTCOMES.length, REASONS.length]);
    expect(RETRIED_OUTCOMES).toEqual(['Infrastructure']);
  });
  it('prepare says yes with what it counted, or no with a reason, and nothing between', () => {
    expect(prepareMessage.safeParse({ ok: true, tasks: 1, models: ['m'] }).success).toBe(true);
    expect(prepareMessage.safeParse({ ok: true, reason: 'R' }).success).toBe(false);
    expect(prepareMessage.safeParse({ ok: false, tasks: 1, models: [] }).success).toBe(false);
  });
  it('rows of Jobs name one of two actions, and a hash', () => {
    const row = { run: 'r', uid: 'u', prefix: 'p/', model: 'm', harness: 'h', case: 'c', repetition: 1 };
    expect(judgeRow.safeParse({ ...row, action: 'Judge' }).success).toBe(true);
    expect(judgeRow.safeParse({ ...row, action: 'Delete' }).success).toBe(false);
    expect(taskRow.safeParse({ case: 'c' }).success).toBe(false);
    expect(judgeMessage.safeParse({ ok: true }).success).toBe(false);
  });
  it('a gateway’s configuration caps nothing that it does not say', () => {
    const config = gatewayConfig.parse({ harness: 'h', model: 'm' });
    expect(config).toMatchObject({ modelsKey: 'models.yaml', pricesKey: 'prices.yaml' });
    expect(config.caps).toEqual({ tokens: null, costUSD: null, calls: null });
  });
});

it.each([
  [
    { costUSD: -5, tokens: 1e300, apiCalls: -1 },
    { costUSD: null, tokens: 1e11, apiCalls: 0 },
  ],
  [
    { costUSD: 1e308, tokens: null, apiCalls: 1.5 },
    { costUSD: 1e9, tokens: 0, apiCalls: 1 },
  ],
  [
    { costUSD: '3', tokens: '7', apiCalls: {} },
    { costUSD: null, tokens: 0, apiCalls: 0 },
  ],
  [{}, { costUSD: null, tokens: 0, apiCalls: 0 }],
  [
    { costUSD: 0, tokens: 2, apiCalls: 1 },
    { costUSD: 0, tokens: 2, apiCalls: 1 },
  ],
])('absurd spending %j is bounded and costs nothing else', (said, understood) => {
  expect(reportedUsage.parse(said)).toEqual(understood);
});

it('a variable is taken from a Secret, a ConfigMap or nowhere, each with a path of its own', () => {
  const ref = { name: 'n', key: 'k' };
  expect(envSource({})).toBeNull();
  expect(envSource({ valueFrom: {} })).toBeNull();
  expect(envFile(envSource({ valueFrom: { secretKeyRef: ref } })!)).toBe('secret/n/k');
  expect(envFile(envSource({ valueFrom: { configMapKeyRef: ref } })!)).toBe('configMap/n/k');
});

it('no two files of the run and no two ports are one', () => {
  expect(new Set(Object.values(RUN_FILES)).size).toBe(Object.keys(RUN_FILES).length);
  expect(new Set(Object.values(PORTS)).size).toBe(3);
});

it('the message of a missing suite names the command that creates it', () => {
  expect(suiteNotFound('s', 'n')).toMatch(/ConfigMap s with suite\.tar\.gz .* namespace n; .*clawbench tasks push/);
});
