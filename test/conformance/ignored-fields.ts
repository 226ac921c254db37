import { isObject } from '../../benchmark/text/json.ts';
import type { ConformanceCase } from './case-file.ts';

/** Fields that are compared with nothing, and why: left out of upstream's answer and of ours. */
interface NotCompared {
  readonly group: string;
  /** Only these cases; by default all of the group. */
  readonly ids?: readonly string[];
  readonly fields: readonly string[];
  readonly reason: string;
}

export const IGNORED_FIELDS: readonly NotCompared[] = [
  {
    group: 'run_outcome',
    fields: ['exit_code'],
    reason: "upstream's runner is one process for a run; ours is an operator, and a run's outcome stands in its status",
  },
  {
    group: 'run_outcome',
    fields: ['container_removed'],
    reason: "the container engine of upstream's host; a Pod is removed by its batch, which the cluster tests show",
  },
  {
    group: 'run_outcome',
    fields: ['usage_jsonl_left', 'eval_schema_json_left', 'my_info_left'],
    reason: "files in upstream's work folder on the host; ours lie in volumes that end with the Pod",
  },
  {
    group: 'run_outcome',
    ids: ['run_outcome-006'],
    fields: ['judge_json'],
    reason: 'a judge that gives no answer leaves no verdict file here: the run stays unjudged and is asked again',
  },
];

/** Entries that apply to a case, with those of their fields that it has. */
export function ignoredFieldsOf(one: ConformanceCase): readonly { readonly field: string; readonly reason: string }[] {
  const own = isObject(one.expected) ? one.expected : {};
  return IGNORED_FIELDS.filter(({ group, ids }) => group === one.group && (ids?.includes(one.id) ?? true)).flatMap(
    ({ fields, reason }) => fields.filter((field) => Object.hasOwn(own, field)).map((field) => ({ field, reason })),
  );
}

/** What of an answer to a case is compared, upstream's and ours alike. */
export function comparedFields(one: ConformanceCase, answer: unknown): unknown {
  const left = new Set(ignoredFieldsOf(one).map(({ field }) => field));
  if (left.size === 0 || !isObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !left.has(field)));
}
