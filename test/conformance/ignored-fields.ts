import { isObject } from '../../benchmark/text/json.ts';
import type { ConformanceCase } from './case-file.ts';

/** Fields that are not compared, and why; they are removed from upstream's answer and from ours. */
interface NotCompared {
  readonly group: string;
  /** Only these cases; default: all of the group. */
  readonly ids?: readonly string[];
  readonly fields: readonly string[];
  readonly reason: string;
}

export const IGNORED_FIELDS: readonly NotCompared[] = [
  {
    group: 'run_outcome',
    fields: ['exit_code'],
    reason: "upstream's runner is one process per run; here an operator writes a run's outcome to its status",
  },
  {
    group: 'run_outcome',
    fields: ['container_removed'],
    reason: "it concerns the container engine of upstream's host; the cluster tests show that a batch removes its Pods",
  },
  {
    group: 'run_outcome',
    fields: ['usage_jsonl_left', 'eval_schema_json_left', 'my_info_left'],
    reason: "files in upstream's work folder on the host; here they are in volumes that are removed with the Pod",
  },
  {
    group: 'run_outcome',
    ids: ['run_outcome-006'],
    fields: ['judge_json'],
    reason: 'without a reply of the judge there is no verdict file here: the run stays unjudged and is judged again',
  },
];

/** The ignored fields of a case, with the reason for each. */
export function ignoredFieldsOf(one: ConformanceCase): readonly { readonly field: string; readonly reason: string }[] {
  const own = isObject(one.expected) ? one.expected : {};
  return IGNORED_FIELDS.filter(({ group, ids }) => group === one.group && (ids?.includes(one.id) ?? true)).flatMap(
    ({ fields, reason }) => fields.filter((field) => Object.hasOwn(own, field)).map((field) => ({ field, reason })),
  );
}

/** The compared part of an answer, upstream's or ours. */
export function comparedFields(one: ConformanceCase, answer: unknown): unknown {
  const left = new Set(ignoredFieldsOf(one).map(({ field }) => field));
  if (left.size === 0 || !isObject(answer)) return answer;
  return Object.fromEntries(Object.entries(answer).filter(([field]) => !left.has(field)));
}
