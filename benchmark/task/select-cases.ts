import { fnmatch } from '../text/fnmatch.ts';
import { isSelectedById, parseIdSelection } from './id-selection.ts';
import type { SuiteCase } from './suite.ts';
import type { Task } from './task.ts';

/** `spec.suite.select` of a batch: every field narrows the selection; no field selects all. */
export interface Selection {
  /** `"1-50,86,1065b"`, see `id-selection.ts`. */
  readonly ids?: string | undefined;
  /** Globs over case names, see `fnmatch.ts`. */
  readonly cases?: readonly string[] | undefined;
  /** Metaclasses, metaclass/class, or the paper's groups; case-insensitive. */
  readonly categories?: readonly string[] | undefined;
  /** Host names of `sites_involved`, or a parent domain of one. */
  readonly sites?: readonly string[] | undefined;
  /** At most this many, the first in task order. */
  readonly limit?: number | undefined;
  readonly placeholders?: 'Include' | 'Exclude' | undefined;
}

export interface SelectableCase {
  readonly case: Pick<SuiteCase, 'name' | 'listed'>;
  readonly task: Pick<Task, 'taskId' | 'metaclass' | 'class' | 'group' | 'site' | 'placeholder'>;
}

/**
 * The selected cases, in the order given (a suite's order is task order).
 * @throws SelectionError when `ids` is not valid.
 */
export function selectCases<T extends SelectableCase>(cases: readonly T[], selection: Selection): T[] {
  const tests = [
    byId(selection),
    byName(selection),
    byCategory(selection),
    bySite(selection),
    byPlaceholder(selection),
  ];
  const chosen = cases.filter((one) => tests.every((test) => test(one)));
  return selection.limit === undefined || selection.limit <= 0 ? chosen : chosen.slice(0, selection.limit);
}

type Test = (one: SelectableCase) => boolean;
const all: Test = () => true;

function byId(selection: Selection): Test {
  const ids = parseIdSelection(selection.ids ?? '');
  return ids === null ? all : (one) => isSelectedById(ids, one.case.name, one.task.taskId);
}

function byName(selection: Selection): Test {
  const globs = (selection.cases ?? []).map(fnmatch);
  return globs.length === 0 ? all : (one) => globs.some((glob) => glob(one.case.name) || glob(one.case.listed));
}

function byCategory(selection: Selection): Test {
  const wanted = new Set((selection.categories ?? []).map((name) => name.toLowerCase()));
  if (wanted.size === 0) return all;
  return ({ task }) =>
    [task.group, task.metaclass, `${task.metaclass}/${task.class}`].some((name) => wanted.has(name.toLowerCase()));
}

function bySite(selection: Selection): Test {
  const wanted = (selection.sites ?? []).map((site) => site.toLowerCase().replace(/^www\./, ''));
  if (wanted.length === 0) return all;
  return ({ task }) => wanted.some((site) => task.site === site || task.site.endsWith(`.${site}`));
}

function byPlaceholder(selection: Selection): Test {
  return selection.placeholders === 'Exclude' ? (one) => !one.task.placeholder : all;
}
