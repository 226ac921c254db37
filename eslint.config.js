import tseslint from 'typescript-eslint';

/**
 * Imports point one way: programs, then the runtime layers, then the pure rules. Programs do not know each other;
 * what two of them need goes down a layer (kube, store, benchmark), never sideways.
 */
const layers = {
  benchmark: [],
  crds: ['benchmark'],
  kube: ['benchmark', 'crds'],
  store: ['benchmark'],
  mail: ['benchmark'],
  operator: ['kube', 'crds', 'benchmark'],
  sidecar: ['store', 'mail', 'benchmark'],
  judging: ['store', 'benchmark'],
  jobs: ['judging', 'kube', 'crds', 'store', 'mail', 'benchmark'],
  // Image building is a tool of the repository, and so is what builds images on this machine.
  images: ['benchmark', 'test'],
  cli: ['operator', 'sidecar', 'judging', 'kube', 'crds', 'store', 'mail', 'benchmark'],
};

/** What a layer may not import: every other folder of ours that is not below it. */
function patternsFor(layer, below) {
  const others = [...Object.keys(layers), 'test'].filter((other) => other !== layer && !below.includes(other));
  const rule = {
    regex: `^(\\.\\./)+(${others.join('|')})/`,
    message: `${layer}/ may import: ${below.join(', ') || 'nothing of ours'}.`,
  };
  const io = { group: ['undici', '@aws-sdk/*', '@kubernetes/*'], message: 'benchmark/ is pure: no I/O.' };
  return layer === 'benchmark' ? [rule, io] : [rule];
}

/** benchmark/ does no I/O, not even by Node's own modules. */
function pathsFor(layer) {
  const modules = ['fs', 'fs/promises', 'net', 'http', 'https', 'child_process', 'dns'];
  return layer === 'benchmark' ? modules.flatMap((name) => [name, `node:${name}`]) : [];
}

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', { max: 350, skipBlankLines: true, skipComments: true }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No re-export barrels: import from the file that decides.' },
      ],
    },
  },
  ...Object.entries(layers).map(([layer, below]) => ({
    files: [`${layer}/**/*.ts`],
    ignores: ['**/*.test.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: pathsFor(layer), patterns: patternsFor(layer, below) }] },
  })),
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
