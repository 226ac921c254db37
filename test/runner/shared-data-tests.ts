import { globSync } from 'node:fs';

/** TypeScript files of the repository, by paths from its root. */
export function sourceFiles(root: string): string[] {
  return globSync('**/*.ts', { cwd: root, exclude: ['node_modules/**', 'dist/**'] }).sort();
}

export function importsSharedData(source: string): boolean {
  return /from '[./a-z-]*\/shared-data\.ts'/.test(source);
}

/** Whether a file finds the reference data by a path of its own: `'../shared/…'`, or `join(…, 'shared', …)`. */
export function namesSharedData(source: string): boolean {
  return /\.\.\/shared\/(conformance|corpora)|'\.\.', 'shared'/.test(source);
}
