import { INFRASTRUCTURE_STOPS } from './stop-reason.ts';

/**
 * Upstream's result categories. They are exact, because they are in the bundle and decide `adjusted_eligible`. They are not our
 * outcomes: a run of the `null` harness is `infra_failure` here and `Failed` as an outcome.
 */
export type FailureCategory =
  | 'task_data'
  | 'build_instruction'
  | 'infra_failure'
  | 'browser_runtime_setup_failed'
  | 'browser_runtime_artifact_failed'
  | 'api_or_credit'
  | 'model_not_intercepted';
type ResultCategory = 'intercepted' | FailureCategory;

export interface CategoryFacts {
  readonly intercepted: boolean;
  /** Set when the run failed before the agent started or for a cause other than the agent. */
  readonly defaultCategory?: FailureCategory | null;
  readonly stopReason: string | null;
  readonly actions: number;
  readonly requests: number;
  /** Non-blank lines of `agent-messages.jsonl`. */
  readonly messages: number;
  /** See `api-calls.ts`. */
  readonly apiCalls: number;
  readonly recordingBytes: number;
  /** Whether the bundle must contain a recording. */
  readonly recordingRequired: boolean;
  /** See {@link missingFiles}. */
  readonly missingFiles: readonly string[];
  /** See `provider-refusal-evidence.ts`. */
  readonly apiOrCreditEvidence: string | null;
  /** False: no data was collected at all. */
  readonly hasData: boolean;
}

export interface Classification {
  readonly result_category: ResultCategory;
  readonly failure_category: FailureCategory | null;
  readonly infra_failure: boolean;
  readonly adjusted_eligible: boolean;
  readonly infra_flags: readonly string[];
}

/** Categories that are not the agent's result; runs of one leave upstream's adjusted denominators. */
export const INELIGIBLE_CATEGORIES: ReadonlySet<string> = new Set<ResultCategory>([
  'infra_failure',
  'api_or_credit',
  'task_data',
  'build_instruction',
]);

/** Category, eligibility and flags of a run. Flags are computed for every run, including passing ones. */
export function classifyRun(facts: CategoryFacts): Classification {
  const failure = facts.intercepted ? null : failureCategory(facts);
  const result = failure ?? 'intercepted';
  return {
    result_category: result,
    failure_category: failure,
    infra_failure: result === 'infra_failure',
    adjusted_eligible: !INELIGIBLE_CATEGORIES.has(result),
    infra_flags: infraFlags(facts),
  };
}

/** The category of the first rule that applies. */
function failureCategory(facts: CategoryFacts): FailureCategory {
  if (facts.defaultCategory != null) return facts.defaultCategory;
  if (facts.apiOrCreditEvidence !== null) return 'api_or_credit';
  if (INFRASTRUCTURE_STOPS.has(facts.stopReason ?? '')) return 'infra_failure';
  if (facts.apiCalls === 0 && facts.actions === 0 && facts.requests === 0) return 'infra_failure';
  if (facts.messages === 0 || !facts.hasData) return 'infra_failure';
  return 'model_not_intercepted';
}

function infraFlags(facts: CategoryFacts): string[] {
  const flags: readonly (readonly [boolean, string])[] = [
    [facts.apiCalls === 0, 'zero_api_calls'],
    [facts.actions === 0, 'zero_actions'],
    [facts.requests === 0, 'zero_requests'],
    [facts.messages === 0, 'zero_agent_messages'],
    [facts.recordingRequired && facts.recordingBytes === 0, 'missing_or_empty_recording'],
  ];
  const raised = flags.filter(([set]) => set).map(([, name]) => name);
  return [...raised, ...facts.missingFiles.map((path) => `missing:${path}`)];
}

const EXPECTED_FILES = ['actions.jsonl', 'requests.jsonl', 'agent-messages.jsonl', 'interception.json'] as const;

/** Expected files that are missing, as `data/<name>` in upstream's order. `present` contains names below `data/`. */
export function missingFiles(present: ReadonlySet<string>, recordingRequired: boolean): string[] {
  const expected = recordingRequired ? [...EXPECTED_FILES, 'recording.mp4'] : EXPECTED_FILES;
  return expected.filter((name) => !present.has(name)).map((name) => `data/${name}`);
}
