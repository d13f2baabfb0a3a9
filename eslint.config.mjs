import tseslint from 'typescript-eslint';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import { layers } from './tools/lint/layers.mjs';
import {
  environmentInHost,
  namedErrors,
  namedExports,
  noSleep,
  noTimers,
  pure,
} from './tools/lint/restrictions.mjs';

const SPECS = ['**/*.spec.ts'];
const TEST_CODE = [...SPECS, '**/src/testing/**/*.ts', 'test/**/*.ts'];
const PURE = [
  'libs/contracts/src/**/*.ts',
  'libs/kernel/src/**/*.ts',
  'libs/transcript/src/**/*.ts',
  'libs/workflow/src/**/*.ts',
  'libs/context-efficiency/src/**/*.ts',
  'libs/**/domain/**/*.ts',
];

const size = (lines, functionLines) => ({
  'max-lines': ['error', { max: lines, skipBlankLines: true, skipComments: true }],
  'max-lines-per-function': ['error', { max: functionLines, skipBlankLines: true, skipComments: true }],
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '.nx/**', '.cache/**', '.palimpsest/**', 'coverage/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.lint.json', tsconfigRootDir: import.meta.dirname },
    },
    plugins: {
      'import-x': importX,
      palimpsest: {
        rules: {
          layers,
          pure,
          'no-timers': noTimers,
          'named-errors': namedErrors,
          'no-sleep': noSleep,
          'environment-in-host': environmentInHost,
          'named-exports': namedExports,
        },
      },
    },
    settings: {
      'import-x/parsers': { '@typescript-eslint/parser': ['.ts'] },
      'import-x/extensions': ['.ts'],
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.js'],
          extensionAlias: { '.js': ['.ts', '.js'] },
          conditionNames: ['palimpsest-source', 'node', 'import', 'default'],
        }),
      ],
    },
    rules: {
      ...size(400, 80),
      'max-params': ['error', 4],
      complexity: ['error', 12],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-restricted-globals': ['error', 'fdescribe', 'fit', 'xdescribe', 'xit', 'xtest'],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      // A port's method is async whether or not this adapter of it waits for anything.
      '@typescript-eslint/require-await': 'off',
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      'palimpsest/layers': 'error',
      'palimpsest/named-exports': 'error',
      'palimpsest/environment-in-host': 'error',
    },
  },
  {
    files: ['libs/**/*.ts'],
    ignores: TEST_CODE,
    rules: { 'palimpsest/named-errors': 'error' },
  },
  // A package's index is a list of names, as long as the package is wide.
  { files: ['libs/*/src/index.ts'], rules: { 'max-lines': 'off' } },
  {
    files: PURE,
    // The one clock of the system stands beside its port; a hash is a function of its argument.
    ignores: [
      ...TEST_CODE,
      'libs/kernel/src/ports/clock.ts',
      'libs/context-efficiency/src/hashing/digests.ts',
    ],
    rules: { 'palimpsest/pure': 'error', 'palimpsest/no-timers': 'error' },
  },
  { files: ['libs/kernel/src/**/*.ts'], rules: { 'palimpsest/no-timers': 'off' } },
  {
    files: [
      'libs/host/src/**/*.ts',
      '**/src/testing/**/*.ts',
      'test/**/*.ts',
      'libs/*/tools/**/*.ts',
      // The command that adapters copy is one file, without the servers' configuration.
      'apps/cli/src/context/process-surroundings.ts',
    ],
    ignores: SPECS,
    rules: { 'palimpsest/environment-in-host': 'off' },
  },
  {
    files: ['apps/cli/src/**/*.ts', 'test/bench/**/*.ts'],
    rules: { 'no-console': 'off' },
  },
  {
    // A describe block is a function too; a suite of cases is a list.
    files: TEST_CODE,
    rules: {
      ...size(600, 600),
      '@typescript-eslint/unbound-method': 'off',
      // Matchers and parsed bodies are `any`; what they hold is what the test asserts.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  { files: SPECS, rules: { 'palimpsest/no-sleep': 'error' } },
  {
    files: ['**/*.mjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    rules: {
      ...size(400, 80),
      'max-params': ['error', 4],
      complexity: ['error', 12],
      eqeqeq: 'error',
      'no-unused-vars': 'error',
    },
  },
);
