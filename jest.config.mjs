// Tests are chosen by suffix: `.unit.spec.ts` needs no server, `.int.spec.ts` needs TEST_DATABASE_URL and
// TEST_NATS_URL (tools/test.mjs sets both), `.e2e.spec.ts` starts whole processes.

const typescript = {
  swcrc: false,
  sourceMaps: 'inline',
  module: { type: 'es6' },
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
    keepClassNames: true,
  },
};

/** @returns {import('jest').Config} */
function project(displayName, testTimeoutMs) {
  return {
    displayName,
    rootDir: import.meta.dirname,
    testMatch: [`<rootDir>/{apps,libs,test,tools}/**/*.${displayName}.spec.ts`],
    setupFilesAfterEnv: ['<rootDir>/tools/jest-globals.mjs'],
    globals: { testTimeoutMs },
    testEnvironment: 'node',
    // Workspace packages resolve to their sources: a test never runs against a stale build.
    testEnvironmentOptions: { customExportConditions: ['palimpsest-source', 'node', 'node-addons'] },
    extensionsToTreatAsEsm: ['.ts'],
    transform: { '\\.ts$': ['@swc/jest', typescript] },
    moduleFileExtensions: ['js', 'mjs', 'cjs', 'ts', 'json', 'node'],
    // A relative `./x.js` names a file of ours that is still `x.ts`; packages keep their real `.js`.
    moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': ['$1.js', '$1.ts'] },
    modulePathIgnorePatterns: ['<rootDir>/(apps|libs|test)/.*/dist/', '<rootDir>/\\.cache/'],
    testPathIgnorePatterns: ['<rootDir>/(.*/)?(node_modules|dist)/'],
  };
}

/** @type {import('jest').Config} */
export default {
  projects: [project('unit', 10_000), project('int', 60_000), project('e2e', 180_000)],
  passWithNoTests: false,
  maxWorkers: 2,
  // ESM specs keep their module graphs alive; a worker that has grown is replaced.
  workerIdleMemoryLimit: '1GB',
};
