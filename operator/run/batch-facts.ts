import type { Rubric } from '../../benchmark/judge/rubrics.ts';
import { makesMailboxes } from '../../benchmark/mailbox/settings.ts';
import { askedRubrics } from '../../crds/blocks/judge.ts';
import type { Deadlines } from '../../crds/blocks/limits.ts';
import type { Batch } from '../../kube/clawbench-kinds.ts';
import { isTrue } from '../../kube/conditions.ts';
import type { Live } from '../../kube/object.ts';
import { conditionsOf } from '../conditions.ts';
import { storeUrl } from '../store-url.ts';

/** What a run's fate depends on in its batch. */
export interface BatchFacts {
  /** Why the run is accepted, for its condition; null: the condition stays as it is. */
  readonly accepted: { readonly reason: string; readonly message: string } | null;
  readonly cancel: boolean;
  /** The batch is complete: nothing waits for a verdict any more, and no failed pod is kept. */
  readonly ended: boolean;
  /** Rubrics to wait for. Empty: there is no judge, and an intercepted request passes. */
  readonly rubrics: readonly Rubric[];
  readonly passRubric: Rubric | null;
  readonly deadlines: Deadlines;
  readonly infrastructureLimit: number;
  /** Each attempt has a mailbox, which must be removed. */
  readonly mailboxes: boolean;
  readonly budget: Batch['spec']['budget'];
  /** `DoorOnly`: shown on every run. */
  readonly reducedInterception: boolean;
  /** `s3://bucket/prefix/`, with trailing slash. */
  readonly storeUrl: string;
}

export function batchFacts(batch: Live<Batch>): BatchFacts {
  const { spec } = batch;
  return {
    accepted: { reason: 'BatchAccepted', message: `Batch ${batch.metadata.name} was accepted.` },
    cancel: spec.cancel,
    ended: isTrue(conditionsOf(batch.status), 'Complete'),
    rubrics: askedRubrics(spec.judge),
    passRubric: spec.judge?.passRubric ?? null,
    deadlines: spec.deadlines,
    infrastructureLimit: spec.retry.infrastructureLimit,
    mailboxes: makesMailboxes(spec.mail.provider),
    budget: spec.budget,
    reducedInterception: spec.browser.isolation === 'DoorOnly',
    storeUrl: storeUrl(batch),
  };
}
