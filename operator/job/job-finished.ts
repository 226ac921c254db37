import type { Job } from '../../kube/kinds.ts';

type JobCondition = NonNullable<NonNullable<Job['status']>['conditions']>[number];

const ENDS = ['Complete', 'Failed'];

/** The condition that says a Job has finished; undefined: it has not. Suspended is a condition too, but not the end. */
export function finishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find((one) => ENDS.includes(one.type) && one.status === 'True');
}
