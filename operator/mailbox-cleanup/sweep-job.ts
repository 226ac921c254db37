import { mailboxName } from '../../benchmark/mailbox/address.ts';
import type { SweepConfig } from '../../benchmark/protocol/sweep-config.ts';
import type { Batch, Run } from '../../kube/clawbench-kinds.ts';
import type { Job } from '../../kube/kinds.ts';
import type { Live, New } from '../../kube/object.ts';
import { buildJob, mailAttachment } from '../job/build-job.ts';
import { ATTEMPT_LABEL, COMPONENT_LABEL, RUN_LABEL } from '../labels.ts';

/** On the Job: UID of the run that it belongs to. */
const RUN_UID = 'claw-bench.com/run-uid';

/** Twelve retries with a back-off that doubles (at most 6 min): most of an hour. */
const RETRIES = 12;
/** Includes waiting for a node, whatever the batch's own pods may wait: a Job must not occupy a slot for days. */
const LIMIT_SECONDS = 7200;

/** `sweep-<local part of the mailbox>`, derived from run and attempt like the mailbox. */
export function sweepJobName(runUID: string, attempt: number): string {
  return `sweep-${mailboxName(runUID, attempt)}`;
}

/**
 * The Job that removes the mailbox of one attempt, created suspended before the Pod that creates the mailbox:
 * everything that is needed to remove it is recorded before there is anything to remove. It has no owner, so it
 * outlives run and batch, and it does not call the API server, so it needs no service account that would be deleted
 * with them.
 */
export function buildSweepJob(run: Live<Run>, batch: Live<Batch>, attempt: number, image: string): New<Job> {
  const runUID = run.metadata.uid;
  const config: SweepConfig = { mailProvider: batch.spec.mail.provider, runUID, attempt };
  const { metadata, spec } = buildJob({
    name: sweepJobName(runUID, attempt),
    component: 'sweep',
    batch,
    image,
    program: 'sweep.js',
    serviceAccount: null,
    needsToken: false,
    storeSecret: null,
    secretsOptional: true,
    limitSeconds: LIMIT_SECONDS,
    retries: RETRIES,
    attachments: mailAttachment(batch),
    config: { ...config },
    annotations: { [RUN_UID]: runUID },
  });
  // Not on its pods, which are not the run's.
  const labels = { ...metadata.labels, [RUN_LABEL]: run.metadata.name, [ATTEMPT_LABEL]: String(attempt) };
  const own = { suspend: true, activeDeadlineSeconds: LIMIT_SECONDS };
  return { metadata: { ...metadata, labels }, spec: { ...spec, ...own, template: spec?.template ?? {} } };
}

/** The attempt whose mailbox a sweep Job removes. */
export interface SweptAttempt {
  readonly run: string;
  readonly runUID: string;
  readonly attempt: number;
}

/** Whether the Job was created to remove this attempt's mailbox, and does not merely have the name. */
export function isSweepOf(job: Job, runUID: string, attempt: number): boolean {
  const of = sweptAttempt(job);
  return of?.runUID === runUID && of.attempt === attempt;
}

/** Null: it is not the sweep Job of an attempt. */
export function sweptAttempt({ metadata }: Job): SweptAttempt | null {
  const { labels = {}, annotations = {} } = metadata;
  const [run, runUID] = [labels[RUN_LABEL], annotations[RUN_UID]];
  const attempt = Number(labels[ATTEMPT_LABEL]);
  if (labels[COMPONENT_LABEL] !== 'sweep' || run === undefined || runUID === undefined) return null;
  return Number.isInteger(attempt) && attempt > 0 ? { run, runUID, attempt } : null;
}
