import { statSync } from 'node:fs';
import { join } from 'node:path';
import { attemptPrefix } from '../../../benchmark/protocol/names.ts';
import { interceptionWithoutMatch } from '../../../benchmark/bundle/interception-file.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import type { ObjectStore } from '../../../store/object-store.ts';
import type { EvidenceFacts, FinaliseResult } from '../../contracts.ts';
import { writeRunMeta } from '../../../store/run-meta.ts';
import { claimRun } from '../../evidence/run-claim.ts';
import { attemptMeta, classify } from './attempt-meta.ts';
import type { Cause } from '../state-machine/stop-cause.ts';
import type { Context } from '../context.ts';
import { outcomeMessageOf } from './outcome-message.ts';
import { capEnd, providerEnd } from './model-outcome.ts';
import { settledState } from '../set-up/model-gateway.ts';
import { decideOutcome, type Decision } from './decide-outcome.ts';
import { stopRecording } from './recording.ts';

/** What is known after the files are closed. */
interface Closed {
  readonly result: FinaliseResult | null;
  readonly problem: string;
}

/** Closes the files, brings them to the store, claims the run. Never throws: whatever fails is part of the outcome. */
export async function finaliseAttempt(context: Context): Promise<OutcomeMessage> {
  const { holdings, log, abandon } = context;
  const cause = causeOf(context);
  await Promise.all([
    stopRecordingOnce(context, abandon.signal),
    holdings.capture?.stop().catch((error: unknown) => {
      log.warn({ err: error }, 'capture did not stop cleanly');
    }),
    settleModelCalls(context),
  ]);
  // The browser's work is over; its end is waited for by nobody but the process itself.
  void holdings.interception?.close().catch(() => undefined);
  const [closed] = await Promise.all([closeEvidence(context, cause), removeMailbox(context)]);
  return concluded(context, cause, closed);
}

/** Nobody reads it any more, or ever will: set-up may have failed while it was made. What fails is said in the log. */
export async function removeMailbox({ holdings, log }: Context): Promise<void> {
  holdings.mailboxRemoved = (await holdings.mailbox?.remove()) ?? true;
  if (!holdings.mailboxRemoved) log.warn('the mailbox was not removed: that is left to the sweep');
}

/** Whether this attempt has no mailbox any more, or never had one. */
export function mailboxIsGone({ holdings }: Pick<Context, 'holdings'>): boolean {
  return holdings.mailbox === undefined || holdings.mailboxRemoved === true;
}

async function settleModelCalls({ environment, holdings }: Context): Promise<void> {
  if (!environment.run.modelGateway) return;
  const state = await settledState(environment.dirs.modelCalls);
  if (state !== null) holdings.modelState = state;
}

/** What can be said at this moment, for a Pod that may not live to say more. */
export function provisionalMessage(context: Context): OutcomeMessage {
  const decision = decide(context, causeOf(context), { result: null, problem: 'not finished' });
  const some = (context.holdings.evidence?.counts.bytes ?? 0) > 0;
  return messageOf(context, decision, null, some ? 'Partial' : 'None');
}

/** Upstream's word or the recording mode's, once; `POST /api/stop-recording` may have asked before. */
export async function stopRecordingOnce(context: Context, signal: AbortSignal): Promise<string> {
  const { environment, holdings } = context;
  const recorded = environment.run.browser.recording === 'Video' && holdings.interception !== undefined;
  holdings.recorderStatus ??= recorded ? await stopRecording(environment.dirs.run, signal) : 'disabled';
  return holdings.recorderStatus;
}

/** Size of the video so far; 0 when there is none. */
export function recordingBytes(context: Context): number {
  return statSync(join(context.environment.dirs.recording, 'recording.mp4'), { throwIfNoEntry: false })?.size ?? 0;
}

function causeOf(context: Context): Cause {
  const unknown: Cause = {
    kind: 'infrastructure',
    reason: 'InternalError',
    message: 'The attempt ended for no known cause.',
  };
  return context.loop.state.cause ?? unknown;
}

async function closeEvidence(context: Context, cause: Cause): Promise<Closed> {
  const { holdings, abandon, environment } = context;
  const { evidence } = holdings;
  if (evidence === undefined) return { result: null, problem: 'it was never opened' };
  const { stopReason } = decide(context, cause, { result: null, problem: '' });
  if (cause.kind !== 'intercepted') {
    evidence.interception({ ...interceptionWithoutMatch(stopReason, holdings.loaded?.task.evalSchema) });
  }
  try {
    const result = await evidence.finalise({
      meta: (facts) => attemptMeta(context, { cause, stopReason, facts }),
      manifest: {
        browserVersion: holdings.browserVersion ?? null,
        images: environment.run.images,
        attempt: environment.run.attempt,
        run: environment.run.run,
      },
      signal: abandon.signal,
    });
    return { result, problem: result.evidence === 'Complete' ? '' : 'the store did not take all of it' };
  } catch (error) {
    context.log.error({ err: error }, 'evidence was not finalised');
    return { result: null, problem: (error as Error).message };
  }
}

function decide(context: Context, cause: Cause, closed: Closed): Decision {
  const { holdings, environment } = context;
  return decideOutcome({
    cause,
    bodyUnavailable: holdings.bodyUnavailable,
    judged: environment.run.judged,
    evidence: closed.result?.evidence ?? 'None',
    evidenceProblem: closed.problem,
    hurried: holdings.hurried,
    local: environment.local,
    modelEnd:
      capEnd(holdings.modelState ?? null, environment.run.capsInFull) ?? providerEnd(holdings.modelState ?? null),
    harnessStopReason: holdings.harnessData?.stopReason() ?? 'unknown',
  });
}

function messageOf(
  context: Context,
  decision: Decision,
  facts: EvidenceFacts | null,
  evidence: OutcomeMessage['evidence'],
): OutcomeMessage {
  const cause = causeOf(context);
  const resultCategory = classify(context, { cause, stopReason: decision.stopReason, facts }).result_category;
  const evidenceSafe = evidence === 'Complete' ? context.now() : null;
  return outcomeMessageOf(context, { decision, resultCategory, evidence, facts, evidenceSafe });
}

/** The outcome, and the claim on the run when it is one that stands. */
async function concluded(context: Context, cause: Cause, closed: Closed): Promise<OutcomeMessage> {
  const decision = decide(context, cause, closed);
  const message = messageOf(context, decision, closed.result?.facts ?? null, closed.result?.evidence ?? 'None');
  const { store } = context.holdings;
  const stands = decision.outcome !== 'Infrastructure' && message.evidence === 'Complete';
  if (!stands || store === undefined) return message;
  try {
    return await claimed(context, store, message);
  } catch (error) {
    context.log.error({ err: error }, 'the run could not be claimed');
    return failed(message, 'StorageFailed', `The run could not be closed in the store: ${(error as Error).message}`);
  }
}

async function claimed(context: Context, store: ObjectStore, message: OutcomeMessage): Promise<OutcomeMessage> {
  const { run } = context.environment;
  const claim = await claimRun(store, run, message);
  switch (claim.kind) {
    case 'own':
      // The stored attempt-meta, not the object at hand: only what was stored is redacted.
      await writeRunMeta(store, attemptPrefix(run), null);
      return message;
    case 'adopt':
      return adopted(claim.claim, run.attempt);
    case 'refused':
      return failed(message, 'ClaimedByOther', claim.message);
  }
}

/** Another attempt's outcome as this attempt's report: nothing is paid twice. */
export function adopted(
  claim: { readonly attempt: number; readonly outcome: OutcomeMessage },
  attempt: number,
): OutcomeMessage {
  return { ...claim.outcome, attempt, claimedByAttempt: claim.attempt };
}

function failed(message: OutcomeMessage, reason: OutcomeMessage['reason'], sentence: string): OutcomeMessage {
  return { ...message, outcome: 'Infrastructure', reason, message: sentence.slice(0, 300) };
}
