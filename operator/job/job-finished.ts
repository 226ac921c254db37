import type { Job } from '../../kube/kinds.ts';

type JobCondition = NonNullable<NonNullable<Job['status']>['conditions']>[number];

const ENDS = ['Complete', 'Failed'];

/** The condition by which a Job is over, for good; undefined: it is not. Being suspended is a condition too, and no end. */
export function finishedCondition({ status }: Job): JobCondition | undefined {
  return status?.conditions?.find((one) => ENDS.includes(one.type) && one.status === 'True');
}
