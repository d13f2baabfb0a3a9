import type { Promotion } from '../client/registry-api.js';
import { palette } from '../output/palette.js';
import { gateLines } from './gate-lines.js';

const RUNG = { stage: 'shadow', canaryPercent: null } as const;
const promotion = (gate: Partial<Promotion['gates'][number]>): Promotion => ({
  environment: 'staging',
  family: 'reuse',
  promoted: false,
  from: RUNG,
  to: { stage: 'canary', canaryPercent: 10 },
  gates: [{ gate: 'provenance', figure: null, threshold: null, passed: false, ...gate }],
  sequence: 1,
  evaluatedAt: '2031-03-10T12:00:00.000Z',
});

it.each<[string, Partial<Promotion['gates'][number]>]>([
  ['pass', { passed: true }],
  ['fail', {}],
  ['fail', { causes: [] }],
  ['fail: version mismatch, stale', { causes: ['version_mismatch', 'stale'] }],
])('a gate without figures ends with why it fails: %s', (end, gate) => {
  const lines = gateLines(promotion(gate), { colours: palette(false), width: 120 });
  expect(lines.at(-1)).toMatch(new RegExp(`–\\s+${end}$`));
});
