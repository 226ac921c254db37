import { interceptionWithoutMatch } from '../../../benchmark/bundle/interception-file.ts';
import { attemptPrefix } from '../../../benchmark/protocol/names.ts';
import type { OutcomeMessage } from '../../../benchmark/protocol/outcome-message.ts';
import type { ObjectStore } from '../../../store/object-store.ts';
import { writeRunMeta } from '../../../store/run-meta.ts';
import type { EvidenceFacts, FinaliseResult } from '../../contracts.ts';
import { adoptedOutcome, claimRun } from '../../evidence/run-claim.ts';
import type { Context } from '../context.ts';
import type { StopCause } from '../state-machine/stop-cause.ts';
import { attemptMeta, upstreamCategory } from './attempt-meta.ts';
import { decideOutcome, type OutcomeDecision } from './decide-outcome.ts';
import { capOutcome, providerOutcome } from './model-outcome.ts';
import { outcomeMessageOf } from './outcome-message.ts';

/** What is known after the files are closed. */
interface ClosedEvidence {
  readonly result: FinaliseResult | null;
  readonly problem: string;
}

/**
 * Closes what set-up has made, uploads the evidence, claims the run. Never throws: whatever fails becomes part of the
 * outcome.
 */
export async function finaliseAttempt(context: Context): Promise<OutcomeMessage> {
  const { held, log, finaliseAbort } = context;
  const cause = causeOf(context);
  await Promise.all([
    context.recording.stop(finaliseAbort.signal),
    held.capture?.stop().catch((error: unknown) => {
      log.warn({ err: error }, 'capture did not stop cleanly');
    }),
    held.modelWatch?.settle(),
  ]);
  // The browser is not needed any more; only `close` of the attempt waits for its exit.
  void held.interception?.close().catch(() => undefined);
  const [closed, mailboxRemoved] = await Promise.all([closeEvidence(context, cause), removeMailbox(context)]);
  // The mailbox is this attempt's, also where the outcome is another's.
  return { ...(await conclusion(context, cause, closed)), mailboxRemoved };
}

/**
 * Removes the mailbox, also one that set-up was still making when it failed.
 * @returns whether this attempt has no mailbox any more, or never had one.
 */
export async function removeMailbox({ held, log }: Pick<Context, 'held' | 'log'>): Promise<boolean> {
  const removed = (await held.mailbox?.remove()) ?? true;
  if (!removed) log.warn('the mailbox was not removed; the sweep Job removes it');
  return removed;
}

/** The outcome as far as it is known now, for a Pod that may be killed before it knows more. */
export function provisionalMessage(context: Context): OutcomeMessage {
  const decision = decide(context, causeOf(context), { result: null, problem: 'not finished' });
  const some = (context.held.evidence?.counts.bytes ?? 0) > 0;
  return messageOf(context, decision, null, some ? 'Partial' : 'None');
}

function causeOf(context: Context): StopCause {
  const unknown: StopCause = {
    kind: 'infrastructure',
    reason: 'InternalError',
    message: 'The attempt ended for no known cause.',
  };
  return context.loop.state.cause ?? unknown;
}

async function closeEvidence(context: Context, cause: StopCause): Promise<ClosedEvidence> {
  const { held, finaliseAbort, environment } = context;
  const { evidence, loaded } = held;
  if (evidence === undefined || loaded === undefined) return { result: null, problem: 'it was never opened' };
  const { stopReason } = decide(context, cause, { result: null, problem: '' });
  if (cause.kind !== 'intercepted') {
    evidence.interception({ ...interceptionWithoutMatch(stopReason, loaded.task.evalSchema) });
  }
  try {
    const result = await evidence.finalise({
      meta: (facts) => attemptMeta(context, loaded, { cause, stopReason, facts }),
      manifest: {
        browserVersion: held.browser?.version ?? null,
        images: environment.run.images,
        attempt: environment.run.attempt,
        run: environment.run.run,
      },
      signal: finaliseAbort.signal,
    });
    return { result, problem: result.evidence === 'Complete' ? '' : 'the store did not take all of it' };
  } catch (error) {
    context.log.error({ err: error }, 'evidence was not finalised');
    return { result: null, problem: (error as Error).message };
  }
}

function decide(context: Context, cause: StopCause, closed: ClosedEvidence): OutcomeDecision {
  const { held, environment, loop } = context;
  const modelState = held.modelWatch?.state ?? null;
  return decideOutcome({
    cause,
    bodyUnavailable: loop.state.bodyUnavailable,
    judged: environment.run.judged,
    evidence: closed.result?.evidence ?? 'None',
    evidenceProblem: closed.problem,
    podTerminating: loop.state.podTerminating,
    local: environment.local,
    modelOutcome: capOutcome(modelState, environment.run.capsInFull) ?? providerOutcome(modelState),
    harnessStopReason: held.harnessData?.stopReason() ?? 'unknown',
  });
}

function messageOf(
  context: Context,
  decision: OutcomeDecision,
  facts: EvidenceFacts | null,
  evidence: OutcomeMessage['evidence'],
): OutcomeMessage {
  const cause = causeOf(context);
  const resultCategory = upstreamCategory(context, { cause, stopReason: decision.stopReason, facts }).result_category;
  const evidenceSafe = evidence === 'Complete' ? context.now() : null;
  return outcomeMessageOf(context, { decision, resultCategory, evidence, facts, evidenceSafe });
}

/** The outcome, and the claim on the run when the outcome is final. */
async function conclusion(context: Context, cause: StopCause, closed: ClosedEvidence): Promise<OutcomeMessage> {
  const decision = decide(context, cause, closed);
  const message = messageOf(context, decision, closed.result?.facts ?? null, closed.result?.evidence ?? 'None');
  const { store } = context.held;
  const isFinal = decision.outcome !== 'Infrastructure' && message.evidence === 'Complete';
  if (!isFinal || store === undefined) return message;
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
      // The stored attempt-meta, not the object in memory: only what was stored is redacted.
      await writeRunMeta(store, attemptPrefix(run), null);
      return message;
    case 'adopt':
      return adoptedOutcome(claim.claim, run.attempt);
    case 'refused':
      return failed(message, 'ClaimedByOther', claim.message);
  }
}

function failed(message: OutcomeMessage, reason: OutcomeMessage['reason'], sentence: string): OutcomeMessage {
  return { ...message, outcome: 'Infrastructure', reason, message: sentence.slice(0, 300) };
}
