import boundaries from 'eslint-plugin-boundaries';
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
  operator: ['kube', 'crds', 'benchmark'],
  sidecar: ['store', 'benchmark'],
  judge: ['kube', 'crds', 'store', 'benchmark'],
  images: ['benchmark'],
  cli: ['operator', 'sidecar', 'judge', 'kube', 'crds', 'store', 'benchmark'],
};

export default tseslint.config(
  { ignores: ['dist/**', 'node_modules/**', 'coverage/**'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { boundaries },
    settings: {
      'boundaries/elements': Object.keys(layers).map((type) => ({ type, pattern: `${type}/**`, mode: 'full' })),
      'import/resolver': { node: { extensions: ['.ts', '.js'] } },
    },
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
      'boundaries/element-types': [
        'error',
        {
          default: 'disallow',
          rules: Object.entries(layers).map(([from, below]) => ({ from: [from], allow: [from, ...below] })),
        },
      ],
    },
  },
  {
    files: ['benchmark/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['fs', 'net', 'http', 'https', 'child_process'].flatMap((name) => [
            name,
            `node:${name}`,
            `node:${name}/promises`,
          ]),
          patterns: [{ group: ['undici', '@aws-sdk/*', '@kubernetes/*'], message: 'benchmark/ is pure: no I/O.' }],
        },
      ],
    },
  },
  {
    files: ['**/*.test.ts', 'test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      'boundaries/element-types': 'off',
    },
  },
  { files: ['**/*.js'], ...tseslint.configs.disableTypeChecked },
);
