import type { Reason } from '../../../benchmark/outcome/outcome.ts';
import {
  classifyRun,
  type Classification,
  type FailureCategory,
} from '../../../benchmark/outcome/upstream-category.ts';
import { buildRunMeta, type RunMetaFacts } from '../../../benchmark/bundle/run-meta.ts';
import type { EvidenceFacts } from '../../contracts.ts';
import type { StopCause } from '../state-machine/stop-cause.ts';
import type { ArmedAttempt, Context } from '../context.ts';
import { apiEvidence } from './model-outcome.ts';

export interface MetaParts {
  readonly cause: StopCause;
  readonly stopReason: string;
  /** Null: the files were never closed. */
  readonly facts: EvidenceFacts | null;
}

/** Files that were never closed hold nothing. */
const NOTHING = {
  actions: 0,
  requests: 0,
  messages: 0,
  apiCalls: 0,
  recordingBytes: 0,
} as const;

/** Upstream's category of this attempt. */
export function upstreamCategory(context: Context, { cause, stopReason, facts }: MetaParts): Classification {
  const { actions, requests, messages, apiCalls, recordingBytes } = facts ?? NOTHING;
  return classifyRun({
    intercepted: cause.kind === 'intercepted',
    defaultCategory: defaultCategory(cause),
    stopReason,
    actions,
    requests,
    messages,
    apiCalls,
    recordingBytes,
    recordingRequired: context.environment.run.browser.recording === 'Video',
    missingFiles: missingFiles(context, facts),
    apiOrCreditEvidence: apiFault(context, facts),
    hasData: facts !== null,
  });
}

const SETUP_REASONS: ReadonlySet<Reason> = new Set<Reason>([
  'SetupTimeout',
  'IsolationUnavailable',
  'InterceptionNotArmed',
  'SelfTestFailed',
]);

/** Upstream's category for an attempt that infrastructure ended; null: the bundle's files decide. */
function defaultCategory(cause: StopCause): FailureCategory | null {
  if (cause.kind !== 'infrastructure') return null;
  if (cause.reason === 'TaskMismatch') return 'task_data';
  return SETUP_REASONS.has(cause.reason) ? 'browser_runtime_setup_failed' : 'infra_failure';
}

function modelSettings(
  model: ArmedAttempt['model'] | undefined,
): Pick<RunMetaFacts, 'thinkingLevel' | 'temperature' | 'maxTokens' | 'modelConfig'> {
  if (model === undefined || model === null) return {};
  const { thinkingLevel, temperature, maxTokens, config } = model;
  return { thinkingLevel, temperature, maxTokens, modelConfig: config };
}

function apiFault({ held, environment }: Context, facts: EvidenceFacts | null): string | null {
  const { capsInFull } = environment.run;
  return apiEvidence(held.modelWatch?.state ?? null, capsInFull, facts?.apiOrCreditEvidence ?? null);
}

/** `attempt-meta.json`; the same object becomes `run-meta.json` when the attempt counts. */
export function attemptMeta(
  context: Context,
  loaded: ArmedAttempt['loaded'],
  parts: MetaParts & { readonly facts: EvidenceFacts },
): Record<string, unknown> {
  const { environment, held, loop, now } = context;
  const { run } = environment;
  const { facts, cause } = parts;
  return buildRunMeta({
    caseName: run.caseName,
    task: loaded.task,
    taskJsonSha256: loaded.suiteCase.sha256,
    model: run.model,
    harness: run.harness,
    ...modelSettings(held.model),
    emailUsed: held.task?.email ?? null,
    startedAt: loop.state.startedAt,
    endedAt: now(),
    classification: upstreamCategory(context, parts),
    intercepted: cause.kind === 'intercepted',
    metrics: {
      ...facts,
      apiOrCreditEvidence: apiFault(context, facts),
      missingFiles: missingFiles(context, facts),
      stopReason: parts.stopReason,
    },
    runtime: runtime(context),
    browserRuntime: browserRuntime(context),
    runFlags: { human: false, harness: run.harness, judge: null, no_judge: !run.judged, browser_runtime: 'local' },
    personalInfo: held.task?.hashes,
    ...(cause.kind === 'infrastructure' ? { failureReason: `infra_failure: ${cause.reason}: ${cause.message}` } : {}),
    extraInfoWarnings: held.task?.warnings,
    clawbench: clawbenchFields(context, parts),
  });
}

/** In a run that records no video, the video is not missing. */
function missingFiles({ environment }: Context, facts: EvidenceFacts | null): readonly string[] {
  const all = facts?.missingFiles ?? [];
  return environment.run.browser.recording === 'Video' ? all : all.filter((path) => path !== 'data/recording.mp4');
}

function runtime({ environment }: Context): Record<string, unknown> {
  return {
    container_engine: environment.local ? 'none' : 'kubernetes',
    platform: `${process.platform}-${process.arch}`,
    node_version: process.version,
    harness_image: environment.run.harnessImage,
    images: environment.run.images,
  };
}

function browserRuntime({ environment, held }: Context): Record<string, unknown> {
  return {
    provider: 'local',
    mode: 'local',
    session_id: null,
    cdp_url: null,
    viewer_url: null,
    recording_mode: environment.run.browser.recording === 'Video' ? 'x11' : 'disabled',
    cleanup_status: 'not_required',
    metadata: { browser_version: held.browser?.version ?? null },
  };
}

/** Facts for which upstream has no field. */
function clawbenchFields(
  { environment, held, loop, recording }: Context,
  { cause, stopReason, facts }: MetaParts,
): Record<string, unknown> {
  const { run } = environment;
  const { state } = loop;
  return {
    namespace: run.namespace,
    batch: run.batch,
    batch_uid: run.batchUID,
    run: run.run,
    run_uid: run.runUID,
    suite: run.suite,
    attempt: run.attempt,
    generation: run.generation,
    repetition: run.repetition,
    cause: cause.kind,
    reason: cause.kind === 'infrastructure' ? cause.reason : null,
    stop_reason: stopReason,
    body_unavailable: state.bodyUnavailable,
    times: {
      started: state.startedAt,
      armed: state.armedAt,
      agent_started: state.agentStartedAt,
      agent_exited: state.agentExitedAt,
      stopped: state.stoppedAt,
      recording_started: facts?.recordingStartedAt ?? null,
    },
    longest_idle_seconds: Math.round(state.longestIdleMs / 1000),
    isolation: run.browser.isolation,
    agent_isolated: false,
    viewport: run.browser.viewport,
    recorder_status: recording.status,
    traffic: held.interception?.traffic() ?? null,
    notes: facts?.notes ?? [],
  };
}
