import { expect, it } from 'vitest';
import { ApiError } from '../../kube/errors.ts';
import { play, type PlayResult } from '../testing/play.fixture.ts';
import type { Write, World } from '../testing/world.fixture.ts';

/** The API server rejects such writes. */
function rejectWrites(to: (write: Write) => boolean): World['kill'] {
  return (write) => {
    if (!to(write)) return null;
    throw new ApiError({ status: 403, reason: 'Forbidden', message: 'no', method: write.verb, path: write.path });
  };
}
const FAILED = {
  ok: false,
  judged: 0,
  unjudged: 1,
  promoted: 0,
  summarised: 0,
  reason: 'JudgeCallsFailed',
  message: 'no answer',
};
const spent = ({ world }: PlayResult): number | null | undefined =>
  world.stores.clawbenchbatches.get('bench/nightly')?.status?.usage?.judge?.costUSD;
const passed = ({ outcomes }: PlayResult): number =>
  Object.values(outcomes).filter((end) => end === 'Complete/Passed/JudgedMatch').length;

it('no Pod creates a mailbox while its sweep Job is rejected; its run says so', async () => {
  let rejects = true;
  let [pods, why] = [-1, ''];
  const end = await play({
    change: { mail: { provider: 'PurelyMail', secretRef: { name: 'mail' } } },
    kill: rejectWrites(({ verb, name }) => rejects && verb === 'POST' && name.startsWith('sweep-')),
    event: (world, turn) => {
      if (turn !== 20) return;
      rejects = false;
      const runs = world.stores.clawbenchruns.list();
      pods = world.stores.pods.list().filter((pod) => !pod.metadata.name.endsWith('-pod')).length;
      why = runs.map(({ status }) => status?.pendingReason ?? '').join('');
    },
  });
  expect([pods, end.phase, passed(end), spent(end)]).toEqual([0, 'Complete', 4, 1]);
  expect(why).toMatch(/The mailbox cleanup Job was rejected: POST .*jobs: 403/);
});

it('the usage of the judge is added once, however often the deletion of its old Job is rejected', async () => {
  let refusals = 0;
  const usage = { costUSD: 0.5, tokens: 1, apiCalls: 1, unpricedCalls: 0 };
  const end = await play({
    job: (name) => (/-judge-[12]$/.test(name) ? { ...FAILED, usage } : undefined),
    turns: 200,
    kill: rejectWrites(
      ({ verb, name }) => verb === 'DELETE' && name.startsWith('nightly-judge-') && (refusals += 1) < 4,
    ),
  });
  expect(refusals).toBeGreaterThan(3);
  expect([end.phase, passed(end), spent(end)]).toEqual(['Complete', 4, 2]);
});

it('rejected runs do not keep the others from their verdicts', async () => {
  let made = 0;
  const end = await play({
    kill: rejectWrites(({ verb, path }) => verb === 'POST' && path.endsWith('/clawbenchruns') && (made += 1) > 2),
    turns: 60,
  });
  expect([passed(end), spent(end)]).toEqual([2, 0.5]);
  const conditions = end.world.stores.clawbenchbatches.get('bench/nightly')?.status?.conditions;
  expect(conditions).toContainEqual(expect.objectContaining({ type: 'Progressing', reason: 'Refused' }));
});
