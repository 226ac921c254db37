import { describe, expect, test } from 'vitest';
import type { OutcomeMessage } from '../../benchmark/protocol/outcome-message.ts';
import { memoryStore } from '../../store/memory.fixture.ts';
import { type Claimant, claimRun, findClaim } from './run-claim.ts';
import { writeRunMeta } from '../../store/run-meta.ts';

const RUN = 'm1/batch-b--h--m1/m1/run';
function who(change: Partial<Claimant> = {}): Claimant {
  return { runPrefix: RUN, batchUID: 'batch-uid', runUID: 'run-uid', attempt: 1, generation: 1, ...change };
}
const OUTCOME: OutcomeMessage = {
  v: 1,
  attempt: 1,
  outcome: 'Failed',
  reason: 'AgentExited',
  message: 'The agent exited.',
  stopReason: 'agent_exited',
  resultCategory: 'model_not_intercepted',
  intercepted: false,
  evidence: 'Complete',
  prefix: `${RUN}/a1/`,
  times: { started: 1, armed: 2, agentStarted: 3, stopped: 4, evidenceSafe: 5 },
  counts: { actions: 1, requests: 1, screenshots: 1, bytes: 1 },
  usage: { costUSD: null, tokens: 0, apiCalls: 0 },
  isolation: 'Namespace',
  agentIsolated: false,
  mailboxRemoved: false,
  claimedByAttempt: null,
};

describe('claiming a run', () => {
  test('the first to finish owns it, and a second attempt of the same batch reports its outcome', async () => {
    const store = memoryStore();
    expect(await findClaim(store, who())).toBeNull();
    expect((await claimRun(store, who(), OUTCOME)).kind).toBe('own');
    const second = await claimRun(store, who({ attempt: 2 }), { ...OUTCOME, outcome: 'TimedOut' });
    expect(second).toMatchObject({ kind: 'adopt', claim: { attempt: 1, outcome: { outcome: 'Failed' } } });
    expect(await findClaim(store, who())).toMatchObject({ kind: 'own' });
  });

  test('one of ten racing attempts owns it', async () => {
    const store = memoryStore();
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, i) => claimRun(store, who({ attempt: i + 1 }), OUTCOME)),
    );
    expect(results.filter((result) => result.kind === 'own')).toHaveLength(1);
  });

  test('a claim of another batch, or one that cannot be read, is never adopted', async () => {
    const store = memoryStore();
    await claimRun(store, who({ batchUID: 'other' }), OUTCOME);
    const refused = await findClaim(store, who());
    expect(refused).toMatchObject({ kind: 'refused' });
    expect(JSON.stringify(refused)).toContain('use another prefix');
    await store.put(`${RUN}/claim.json`, 'no json');
    expect(await claimRun(store, who(), OUTCOME)).toMatchObject({ kind: 'refused' });
  });

  test('a run that was created again under the same name reports the outcome of the first one, whose attempts had the same numbers', async () => {
    const store = memoryStore();
    await claimRun(store, who(), OUTCOME);
    expect(await findClaim(store, who({ runUID: 'made-again' }))).toMatchObject({ kind: 'adopt' });
    expect(await claimRun(store, who({ runUID: 'made-again' }), OUTCOME)).toMatchObject({ kind: 'adopt' });
  });

  test('a rerun has a claim of its own', async () => {
    const store = memoryStore();
    await claimRun(store, who(), OUTCOME);
    expect((await claimRun(store, who({ attempt: 2, generation: 2 }), OUTCOME)).kind).toBe('own');
    expect([...store.objects.keys()]).toEqual([`${RUN}/claim.json`, `${RUN}/claim-2.json`]);
  });
});

describe('run-meta', () => {
  test('one per run: an older generation is moved aside', async () => {
    const store = memoryStore();
    await writeRunMeta(store, `${RUN}/a1/`, { pass: false });
    await writeRunMeta(store, `${RUN}/a2-5f3c2b1a/`, { pass: true });
    await writeRunMeta(store, `${RUN}/a2-5f3c2b1a/`, { pass: 'later call' });
    expect([...store.objects.keys()].sort()).toEqual([
      `${RUN}/a1/superseded-meta.json`,
      `${RUN}/a2-5f3c2b1a/run-meta.json`,
    ]);
    expect(JSON.parse(Buffer.from(store.objects.get(`${RUN}/a2-5f3c2b1a/run-meta.json`) ?? []).toString())).toEqual({
      pass: true,
    });
  });

  test('is repaired from attempt-meta after an attempt that died after its claim', async () => {
    const store = memoryStore();
    await expect(writeRunMeta(store, `${RUN}/a1/`, null)).rejects.toThrow('attempt-meta.json is missing');
    await store.put(`${RUN}/a1/attempt-meta.json`, '{"x":1}');
    await writeRunMeta(store, `${RUN}/a1/`, null);
    expect(Buffer.from(store.objects.get(`${RUN}/a1/run-meta.json`) ?? []).toString()).toBe('{"x":1}');
  });
});
