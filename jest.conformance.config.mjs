// The conformance suite against a host that somebody names; `npm test` does not pick it up.
import config from './jest.config.mjs';

const [unit] = config.projects;

/** @type {import('jest').Config} */
export default {
  ...unit,
  displayName: 'conformance',
  testMatch: ['<rootDir>/test/conformance/src/**/*.conformance.spec.ts'],
  globals: { testTimeoutMs: 180_000 },
};
