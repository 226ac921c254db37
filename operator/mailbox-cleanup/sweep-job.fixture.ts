import type { Run } from '../../kube/clawbench-kinds.ts';
import type { Job } from '../../kube/kinds.ts';
import type { Live } from '../../kube/object.ts';
import { aLiveBatch } from '../batch/batch.fixture.ts';
import { aStandaloneRun } from '../standalone-run/standalone-run.fixture.ts';
import { buildSweepJob } from './sweep-job.ts';

/** A provider that creates mailboxes. */
export const MAIL_WITH_MAILBOXES = { provider: 'PurelyMail', secretRef: { name: 'mail' } } as const;

export const A_BATCH = aLiveBatch({ mail: MAIL_WITH_MAILBOXES });

export const A_RUN = {
  ...aStandaloneRun(),
  metadata: { name: 'nightly-0123456789ab', namespace: 'bench', uid: 'run-uid' },
} as Live<Run>;

/** The sweep Job of the run's attempt 2, as it is created. */
export const A_JOB = {
  apiVersion: 'batch/v1',
  kind: 'Job',
  ...buildSweepJob(A_RUN, A_BATCH, 2, 'judge:1'),
} as Job;
