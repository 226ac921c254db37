import type { Classification } from '../outcome/upstream-category.ts';
import type { Task } from '../task/task.ts';

/**
 * `attempt-meta.json` and `run-meta.json`: upstream's fields in upstream's order, so that upstream's
 * tools can read our bundles. The caller provides the blocks that describe upstream's host (container engine, image IDs); our own
 * fields are in `clawbench` at the end.
 */
export interface RunMetaFacts {
  readonly caseName: string;
  readonly task: Task;
  readonly taskJsonSha256: string | null;
  readonly model: string;
  readonly harness: string;
  readonly thinkingLevel?: string | null;
  readonly temperature?: number | null;
  readonly maxTokens?: number | null;
  readonly emailUsed?: string | null;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly classification: Classification;
  readonly intercepted: boolean;
  readonly metrics: RunMetrics;
  readonly runtime: Readonly<Record<string, unknown>>;
  readonly browserRuntime: Readonly<Record<string, unknown>>;
  /** See `model-config-meta.ts`; null when the harness uses no model. */
  readonly modelConfig?: unknown;
  readonly runFlags: Readonly<Record<string, unknown>>;
  readonly judgeConfig?: unknown;
  readonly personalInfo?: Readonly<Record<string, string>> | undefined;
  /** `<category>: <phase>: <type>: <message>`. */
  readonly failureReason?: string | undefined;
  readonly extraInfoWarnings?: readonly string[] | undefined;
  /** Our fields that upstream does not have: attempt, outcome, reason, phase times, batch. */
  readonly clawbench?: Readonly<Record<string, unknown>> | undefined;
}

interface RunMetrics {
  readonly actions: number;
  readonly requests: number;
  readonly messages: number;
  readonly screenshots: number;
  readonly recordingBytes: number;
  readonly apiCalls: number;
  readonly stopReason: string | null;
  readonly missingFiles: readonly string[];
  readonly apiOrCreditEvidence: string | null;
  /** Usage summary (`usage/summary.ts`). */
  readonly usage: Readonly<Record<string, unknown>>;
}

/** The object, keys in upstream's order. */
export function buildRunMeta(facts: RunMetaFacts): Record<string, unknown> {
  const usage = { ...facts.metrics.usage, usage_source: 'transient_usage_jsonl' };
  return {
    test_case: facts.caseName,
    ...facts.task.metadata,
    task_json_sha256: facts.taskJsonSha256,
    instruction: facts.task.instruction,
    model: facts.model,
    harness: facts.harness,
    ...modelSettings(facts),
    email_used: facts.emailUsed ?? null,
    timestamp: upstreamTimestamp(facts.startedAt),
    time_limit_minutes: facts.task.timeLimitMinutes,
    duration_seconds: Math.round((facts.endedAt - facts.startedAt) / 1000),
    intercepted: facts.intercepted,
    ...facts.classification,
    run_metrics: runMetrics(facts, usage),
    usage,
    runtime: facts.runtime,
    browser_runtime: facts.browserRuntime,
    task: taskBlock(facts),
    model_config: facts.modelConfig ?? null,
    run_flags: facts.runFlags,
    ...optional('judge_config', facts.judgeConfig),
    ...optional('personal_info', facts.personalInfo),
    ...optional('failure_reason', facts.failureReason),
    ...optional('extra_info_warnings', facts.extraInfoWarnings?.length === 0 ? undefined : facts.extraInfoWarnings),
    ...optional('clawbench', facts.clawbench),
  };
}

/** Upstream's time stamp in UTC: `20261129-204342`. */
export function upstreamTimestamp(at: number): string {
  return new Date(at).toISOString().replace(/\..*$/, '').replaceAll(/[-:]/g, '').replace('T', '-');
}

function modelSettings(facts: RunMetaFacts): Record<string, unknown> {
  return {
    thinking_level: facts.thinkingLevel ?? null,
    temperature: facts.temperature ?? null,
    max_tokens: facts.maxTokens ?? null,
  };
}

function runMetrics({ metrics, intercepted }: RunMetaFacts, usage: Record<string, unknown>): Record<string, unknown> {
  return {
    actions: metrics.actions,
    requests: metrics.requests,
    messages: metrics.messages,
    screenshots: metrics.screenshots,
    recording_bytes: metrics.recordingBytes,
    api_calls: metrics.apiCalls,
    // Upstream drops it on interception; the `clawbench` block keeps it.
    stop_reason: intercepted ? null : metrics.stopReason,
    missing_files: metrics.missingFiles,
    api_or_credit_evidence: metrics.apiOrCreditEvidence,
    usage,
  };
}

function taskBlock(facts: RunMetaFacts): Record<string, unknown> {
  const extra = facts.task.extraInfo;
  const count = Array.isArray(extra) ? extra.length : extra === undefined || extra === null ? 0 : 1;
  return {
    case_name: facts.caseName,
    input_path: facts.caseName,
    input_path_kind: 'external',
    task_json_sha256: facts.taskJsonSha256,
    time_limit_minutes: facts.task.timeLimitMinutes,
    has_extra_info: count > 0,
    extra_info_count: count,
  };
}

function optional(key: string, value: unknown): Record<string, unknown> {
  return value === undefined || value === null ? {} : { [key]: value };
}
