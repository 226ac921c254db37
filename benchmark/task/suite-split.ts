import { isIgnoredJson, type SuiteFile } from './suite.ts';

export interface SuiteTree {
  /** Folder of the suite below the tree, empty for the tree itself. */
  readonly root: string;
  /** Its files, with paths relative to the tree. */
  readonly files: readonly SuiteFile[];
}

/**
 * The suites of a tree with several suites (such as upstream's `test-cases/`): each folder whose children are cases. A tree with
 * one suite or one task has one; a tree without a case has none.
 */
export function splitSuites(files: readonly SuiteFile[]): readonly SuiteTree[] {
  const cases = files.filter((file) => baseName(file.path) === 'task.json').map((file) => parent(file.path));
  const single = cases.includes('');
  const inCase = (path: string): boolean => cases.some((dir) => dir === '' || path.startsWith(`${dir}/`));
  const flat = files.filter((file) => file.path.endsWith('.json') && !inCase(file.path) && !isIgnoredJson(file.path));
  const roots = new Set([...cases.map(parent), ...flat.map((file) => parent(file.path))]);
  const [first] = roots;
  if (first === undefined) return [];
  if (single || roots.size === 1) return [{ root: first, files }];
  return [...roots]
    .toSorted()
    .map((root) => ({ root, files: files.filter((file) => belongs(file.path, root, cases)) }));
}

/** Whether a file belongs to the suite: it is in one of its cases or directly in its folder. */
function belongs(path: string, root: string, cases: readonly string[]): boolean {
  const ownCase = cases.find((dir) => path.startsWith(`${dir}/`));
  return ownCase === undefined ? parent(path) === root : parent(ownCase) === root;
}

function parent(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut === -1 ? '' : path.slice(0, cut);
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
