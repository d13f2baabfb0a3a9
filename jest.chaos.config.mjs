// Services killed under load, the longest replays, and the conformance suite against processes of their own: minutes of
// waiting. `npm run chaos` runs them, by themselves; `npm test` does not pick them up.
import config from './jest.config.mjs';

const e2e = config.projects.at(-1);

/** @type {import('jest').Config} */
export default {
  ...e2e,
  displayName: 'chaos',
  testMatch: ['<rootDir>/test/**/*.chaos.spec.ts'],
  maxWorkers: config.maxWorkers,
};
