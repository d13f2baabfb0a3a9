import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ApiError } from '@palimpsest/client';
import type { Promotion, RolloutReport, RolloutView } from '../client/registry-api.js';
import { moment } from '../output/text.js';
import { registrySession } from '../testing/heard-session.js';
import { MOVES, spoiltTexts } from '../testing/spoilt-texts.js';
import { promoteFamily } from './promote-family.js';
import { setStage } from './set-stage.js';
import { showReport } from './show-report.js';
import { showRollouts } from './show-rollouts.js';

const AT = '2031-03-10T12:00:00.000Z';
const DIGEST = `sha256:${'1'.repeat(64)}`;
const CANDIDATE = { candidateVersion: '1.4.0', corpusVersion: '2031-03', runtimeDigest: DIGEST };
const ROLLOUT: RolloutView = {
  family: 'capsules',
  version: 4,
  stage: 'canary',
  canaryPercent: 10,
  candidate: CANDIDATE,
  since: AT,
  active: true,
};
const PROMOTION: Promotion = {
  environment: 'staging',
  family: 'capsules',
  promoted: false,
  from: { stage: 'canary', canaryPercent: 10 },
  to: { stage: 'canary', canaryPercent: 25 },
  gates: [
    { gate: 'provenance', figure: null, threshold: null, passed: true },
    { gate: 'sample_size', figure: 40, threshold: 40, passed: true },
    { gate: 'median_cost', figure: 0.25, threshold: 0.25, passed: true },
    { gate: 'p95_cost', figure: 0.100004, threshold: 0.1, passed: false },
    { gate: 'rework', figure: null, threshold: 0.05, passed: false },
    { gate: 'reconciliation', figure: null, threshold: 0.02, passed: false },
  ],
  sequence: 9,
  evaluatedAt: AT,
};
const UNKNOWN = {
  billed: { known: 0, meanAmount: null, currency: null, meanTokens: null },
  rediscovery: { known: 0, meanRepeatedFileReads: null },
  latency: { known: 0, meanElapsedMs: null },
};
const REPORT: RolloutReport = {
  rollout: ROLLOUT,
  environment: 'staging',
  promotion: PROMOTION,
  observed: [
    {
      mode: 'resume',
      events: 12,
      billed: { known: 3, meanAmount: 0.0125, currency: 'USD', meanTokens: 1234.5 },
      rediscovery: { known: 12, meanRepeatedFileReads: 0 },
      latency: { known: 1, meanElapsedMs: 2500.4 },
    },
    { mode: null, events: 1, ...UNKNOWN },
  ],
  history: [
    { sequence: 1, changedAt: AT, stage: 'shadow', canaryPercent: null, by: 'operator' },
    { sequence: 4, changedAt: AT, stage: 'canary', canaryPercent: 10, by: 'promotion' },
  ],
};

async function reported(report: RolloutReport, json = false): Promise<readonly string[]> {
  const { session, printed } = registrySession({ rolloutReport: async () => report });
  await showReport('staging', { family: 'capsules', json }, session);
  return printed.out.split('\n');
}

/** Cells of the line that begins with a word. */
function cellsOf(lines: readonly string[], word: string): readonly string[] {
  return (lines.find((line) => line.startsWith(`${word} `)) ?? '').trim().split(/ {2,}/);
}

describe('palimpsest rollout report', () => {
  it('says the stage, whether it is active, and the candidate', async () => {
    const lines = await reported(REPORT);
    expect(lines.slice(0, 4)).toEqual([
      `capsules in staging: canary 10 % since ${moment(AT)}, version 4`,
      'active: the selector was called in this stage, and its event recorded',
      'candidate 1.4.0, measured on corpus 2031-03',
      `runtime ${DIGEST}`,
    ]);
    const idle = await reported({ ...REPORT, rollout: { ...ROLLOUT, active: false } });
    expect(idle[1]).toBe('not active: the selector was not called in this stage yet');
  });

  it('shows each gate with its figure, its threshold and pass or fail', async () => {
    const lines = await reported(REPORT);
    expect(lines).toContain(`not promoted from canary 10 % to canary 25 %, ${moment(AT)}`);
    expect(cellsOf(lines, 'provenance')).toEqual(['provenance', '–', '–', 'pass']);
    expect(cellsOf(lines, 'sample_size')).toEqual(['sample_size', '40', '≥ 40', 'pass']);
    expect(cellsOf(lines, 'median_cost')).toEqual(['median_cost', '0.25', '≥ 0.25', 'pass']);
    expect(cellsOf(lines, 'p95_cost')).toEqual(['p95_cost', '0.100004', '≤ 0.1', 'fail']);
    expect(cellsOf(lines, 'reconciliation')).toEqual(['reconciliation', 'unknown', '≤ 0.02', 'fail']);
  });

  it('shows what was seen as means of what is known, and what is not as unknown', async () => {
    const lines = await reported(REPORT);
    expect(cellsOf(lines, 'resume')).toEqual([
      'resume',
      '12',
      '0.0125 USD (3)',
      '1,235',
      '0 (12)',
      '2,500 ms (1)',
    ]);
    expect(cellsOf(lines, 'unknown')).toEqual(['unknown', '1', 'unknown', 'unknown', 'unknown', 'unknown']);
  });

  it('says so where nothing was promoted or seen, and off is off', async () => {
    const off: RolloutView = { ...ROLLOUT, stage: 'off', canaryPercent: null, candidate: null, since: null };
    const lines = await reported({
      ...REPORT,
      rollout: { ...off, version: 0, active: false },
      promotion: null,
      observed: [],
      history: [],
    });
    expect(lines).toEqual([
      'capsules in staging: off, version 0',
      'not active: off decides nothing',
      'no family of this name ever left "off" here; those that did: npx palimpsest rollout show staging',
      '',
      'no promotion was asked for',
      '',
      'seen: nothing yet',
      '',
    ]);
  });

  it('calls no family unknown that came back to off', async () => {
    const back: RolloutView = { ...ROLLOUT, stage: 'off', canaryPercent: null, candidate: null, version: 1 };
    expect((await reported({ ...REPORT, rollout: back })).slice(0, 3)).toEqual([
      `capsules in staging: off since ${moment(AT)}, version 1`,
      'not active: off decides nothing',
      '',
    ]);
  });

  it('lists the stages, newest last', async () => {
    const lines = await reported(REPORT);
    expect(lines.slice(-3)).toEqual([
      `  ${moment(AT)}  shadow  by operator`,
      `  ${moment(AT)}  canary 10 %  by promotion`,
      '',
    ]);
  });

  it('prints the answer as JSON', async () => {
    expect(JSON.parse((await reported(REPORT, true)).join('\n'))).toEqual(REPORT);
  });
});

describe('palimpsest rollout show', () => {
  it('lists families, or says that there are none', async () => {
    const some = registrySession({
      readRollouts: async () => ({ environment: 'staging', families: [ROLLOUT] }),
    });
    await showRollouts('staging', {}, some.session);
    expect(cellsOf(some.printed.out.split('\n'), 'capsules')).toEqual([
      'capsules',
      'canary 10 %',
      'yes',
      moment(AT),
      '1.4.0',
      '4',
    ]);
    const none = registrySession({ readRollouts: async () => ({ environment: 'staging', families: [] }) });
    await showRollouts('staging', {}, none.session);
    expect(none.printed).toEqual({
      out: '',
      err: 'Nothing has left "off" in staging: npx palimpsest rollout set --help\n',
    });
  });
});

describe('palimpsest rollout set', () => {
  function playing() {
    const asked: unknown[] = [];
    const played = registrySession({
      changeStage: async (environment, body) => {
        asked.push([environment, body]);
        return ROLLOUT;
      },
    });
    return { ...played, asked };
  }

  it('asks for the stage with what was said, and prints where the family is', async () => {
    const { session, printed, asked } = playing();
    await setStage(
      'staging',
      { family: 'capsules', stage: 'canary', percent: 10, ...CANDIDATE, expectedVersion: 3 },
      session,
    );
    expect(asked).toEqual([
      [
        'staging',
        {
          family: 'capsules',
          stage: 'canary',
          canaryPercent: 10,
          candidate: CANDIDATE,
          expectedVersion: 3,
        },
      ],
    ]);
    expect(printed.out).toBe('capsules  canary 10 %  version 4\n');
  });

  it.each([
    ['canary without a percentage', { stage: 'canary' as const }],
    ['a percentage of another stage', { stage: 'shadow' as const, percent: 10 }],
    ['half a candidate', { stage: 'observe' as const, candidateVersion: '1.4.0' }],
    ['an empty candidate version', { stage: 'observe' as const, candidateVersion: '' }],
  ])('takes no %s', async (_, options) => {
    const { session, asked } = playing();
    const setting = setStage('staging', { family: 'capsules', ...options }, session);
    await expect(setting).rejects.toMatchObject({ exitCode: 2 });
    expect(asked).toEqual([]);
  });
});

describe('a stage that the server refuses to set', () => {
  const SAME = { family: 'capsules', stage: 'canary' as const, percent: 10 };

  function refusing(field: string, code = 'validation_error', report = REPORT) {
    return registrySession({
      changeStage: async () => {
        throw new ApiError({ status: 400, code, message: 'No.', details: { field } });
      },
      rolloutReport: async () => report,
    });
  }

  it.each([{}, CANDIDATE])('is no failure where the family is there already: %#', async (candidate) => {
    const { session, printed } = refusing('stage');
    await setStage('staging', { ...SAME, ...candidate }, session);
    expect(printed).toEqual({
      out: 'capsules  canary 10 %  version 4\n',
      err: 'nothing to change: it is in this stage already\n',
    });
    await setStage('staging', { ...SAME, ...candidate, json: true }, session);
    expect(JSON.parse(printed.out.split('\n')[1] ?? '')).toEqual(ROLLOUT);
  });

  const at = (changes: Partial<RolloutView>): RolloutReport => ({
    ...REPORT,
    rollout: { ...ROLLOUT, ...changes },
  });

  it.each([
    ['another stage', { stage: 'shadow', canaryPercent: null }],
    ['another percentage', { canaryPercent: 25 }],
    ['no candidate', { candidate: null }],
    ['another version', { candidate: { ...CANDIDATE, candidateVersion: '1.4.1' } }],
    ['another corpus', { candidate: { ...CANDIDATE, corpusVersion: '2031-04' } }],
    ['another runtime', { candidate: { ...CANDIDATE, runtimeDigest: `sha256:${'2'.repeat(64)}` } }],
  ] as [string, Partial<RolloutView>][])('is one where it is at %s', async (_, changes) => {
    const { session, printed } = refusing('stage', 'validation_error', at(changes));
    const setting = setStage('staging', { ...SAME, ...CANDIDATE }, session);
    await expect(setting).rejects.toMatchObject({ code: 'validation_error' });
    expect(printed).toEqual({ out: '', err: '' });
  });

  it('names the options of the candidate that it lacks', async () => {
    const { session } = refusing('candidate');
    await expect(
      setStage('staging', { family: 'capsules', stage: 'observe' }, session),
    ).rejects.toMatchObject({
      exitCode: 2,
      message: 'a family that leaves "off" takes a candidate',
      hint: 'Add --candidate-version, --corpus-version and --runtime-digest.',
    });
    const another = setStage('staging', { ...SAME, ...CANDIDATE }, session);
    await expect(another).rejects.toMatchObject({ code: 'validation_error', message: 'No.' });
  });

  it('stays refused for any other reason', async () => {
    const { session } = refusing('stage', 'stage_not_next');
    await expect(setStage('staging', SAME, session)).rejects.toMatchObject({ code: 'stage_not_next' });
  });
});

describe('palimpsest rollout promote', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-promote-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  async function promoted(text: string, promotion = PROMOTION) {
    const file = join(folder, 'measured.json');
    writeFileSync(file, text);
    const asked: unknown[] = [];
    const { session, printed } = registrySession({
      promote: async (environment, body) => {
        asked.push([environment, body]);
        return promotion;
      },
    });
    const code = await promoteFamily('staging', { family: 'capsules', evidence: file }, session);
    return { code, asked, out: printed.out };
  }

  it('ends with 1 where a gate did not pass, and with 0 where all did', async () => {
    const envelope = { measurement_run_id: 'm-1' };
    const evidence = { pairs: [{ id: 'a' }], thresholds: { minimum_sample_size: 60 } };
    const refused = await promoted(JSON.stringify({ ...evidence, measurement_envelope: envelope }));
    const body = { family: 'capsules', ...evidence, measurementEnvelope: envelope };
    expect(refused).toMatchObject({ code: 1, asked: [['staging', body]] });
    expect(refused.out).toMatch(/^not promoted from canary 10 % to canary 25 %/);
    const request = JSON.stringify({ ...evidence, options: { measurement_envelope: envelope } });
    const passed = await promoted(request, { ...PROMOTION, promoted: true });
    expect(passed.asked).toEqual([['staging', body]]);
    expect(passed.code).toBe(0);
    expect(passed.out).toMatch(/^promoted from canary 10 % to canary 25 %/);
  });

  it.each([
    ['', 'is not one JSON object'],
    ['[]', 'is not one JSON object'],
    ['null', 'is not one JSON object'],
    ['{"pairs": [SECRET]}', 'is not one JSON object'],
    ['{"pairs": []}', 'lacks "pairs" or "measurement_envelope"'],
    ['{"measurement_envelope": {}}', 'lacks "pairs" or "measurement_envelope"'],
  ])('takes no evidence like %s', async (text, problem) => {
    await expect(promoted(text)).rejects.toMatchObject({
      exitCode: 2,
      message: `${join(folder, 'measured.json')} ${problem}`,
    });
  });
});

describe('texts of the server', () => {
  it('move no cursor, whichever command shows them', async () => {
    const { session, printed } = registrySession({
      readRollouts: async (environment) => ({ environment, families: [spoiltTexts(ROLLOUT)] }),
      rolloutReport: async () => spoiltTexts(REPORT),
      changeStage: async () => spoiltTexts(ROLLOUT),
      promote: async () => spoiltTexts(PROMOTION),
    });
    await showRollouts('staging', {}, session);
    await showReport('staging', { family: 'capsules' }, session);
    await setStage('staging', { family: 'capsules', stage: 'off' }, session);
    const folder = mkdtempSync(join(tmpdir(), 'palimpsest-promote-'));
    const evidence = join(folder, 'measured.json');
    writeFileSync(evidence, '{"pairs": [], "measurement_envelope": {}}');
    await promoteFamily('staging', { family: 'capsules', evidence }, session);
    rmSync(folder, { recursive: true });
    expect(printed.out).not.toMatch(MOVES);
    expect(printed.out.match(/capsules\uFFFD\[2J /g)).toHaveLength(3);
    expect(printed.out).toContain('sample_size\uFFFD[2J ');
  });
});
