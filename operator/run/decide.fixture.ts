import { deadlines } from '../../crds/blocks/limits.ts';
import { T0 } from '../pod/pod.fixture.ts';
import type { BatchFacts } from './batch-facts.ts';
import type { RunInput } from './decide.ts';

/** A batch with default deadlines and two rubrics, and a run of it that was just created. */
export const BATCH_FACTS: BatchFacts = {
  accepted: { reason: 'BatchAccepted', message: 'Batch b was accepted.' },
  cancel: false,
  ended: false,
  rubrics: ['Strict', 'Lenient'],
  passRubric: 'Strict',
  deadlines: deadlines.parse({}),
  infrastructureLimit: 2,
  mailboxes: false,
  budget: undefined,
  reducedInterception: false,
  storeUrl: 's3://traces/nightly/',
};
export const RUN_INPUT: RunInput = {
  name: 'r',
  uid: 'run-uid',
  task: '0001-x',
  generation: 1,
  status: undefined,
  cancel: false,
  facts: BATCH_FACTS,
  pods: [],
  missing: null,
  namesake: null,
  admitted: true,
  timeLimitSeconds: 60,
  prefix: 'm/batch-b--null--m/m/00001-01-r',
  finalising: null,
  usesModel: false,
  liveUsage: null,
  publishedUsage: null,
  now: T0,
};
