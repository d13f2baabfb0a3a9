import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  inheritCommand,
  recordFacts,
  registerCommand,
  resumeCommand,
} from '../../testing/lineage-records.js';
import { decideInherit } from './inherit.js';
import { decideRegister } from './register.js';
import { decideResume } from './resume.js';

const APART = ['restricted', 'isolated'] as const;
const BARRED = { lineageId: 'one', state: 'HOT', invalidations: [], reasonCodes: ['SENSITIVITY_ISOLATION'] };

function sensitive(sensitivity: string, how: 'held' | 'idle'): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  decided[how]('one', { record: recordFacts('one', { sensitivity }) });
  return decided;
}

describe.each(APART)('%s work', (sensitivity) => {
  const current = currentFacts({ sensitivity });
  const refusal = { payload: { state: 'HOT', invalidations: [], reasonCodes: ['SENSITIVITY_ISOLATION'] } };

  it('is not resumed, and stays for its time', () => {
    const decided = sensitive(sensitivity, 'idle');
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    expect(refusalOf(outcome)).toEqual({ code: 'resume_refused', details: BARRED });
    expect(outcome.events).toMatchObject([refusal]);
    expect(decided.lineage('one')?.status).toBe('idle');
  });

  it('is not inherited', () => {
    const record = recordFacts('child', { sensitivity });
    const outcome = sensitive(sensitivity, 'held').act(
      decideInherit,
      inheritCommand('one', 'child', { current, record }),
    );
    expect(refusalOf(outcome)).toEqual({ code: 'inheritance_refused', details: BARRED });
    expect(outcome.events).toMatchObject([refusal]);
  });
});

describe('a fresh child', () => {
  it.each<[string, string, object, readonly string[]]>([
    ['may be apart below what is not', 'normal', { sensitivity: 'isolated' }, []],
    ['may be as its parent is', 'restricted', { sensitivity: 'restricted' }, []],
    ['is no less apart', 'restricted', { sensitivity: 'normal' }, ['SENSITIVITY_MISMATCH']],
    ['is not more apart', 'restricted', { sensitivity: 'isolated' }, ['SENSITIVITY_MISMATCH']],
    ['is isolated below isolated', 'isolated', { sensitivity: 'restricted' }, ['SENSITIVITY_MISMATCH']],
    ['has no other permissions', 'normal', { permissions_hash: 'more' }, ['PERMISSIONS_MISMATCH']],
    ['may have other tools', 'normal', { tools_hash: 'more', platform: 'codex' }, []],
    [
      'is told all of it',
      'isolated',
      { permissions_hash: 'more', sensitivity: 'normal' },
      ['PERMISSIONS_MISMATCH', 'SENSITIVITY_MISMATCH'],
    ],
  ])('%s', (_, sensitivity, changes, invalidations) => {
    const record = recordFacts('child', { parent_lineage_id: 'one', ...changes });
    const outcome = sensitive(sensitivity, 'held').act(decideRegister, registerCommand('child', { record }));
    const details = { lineageId: 'one', state: 'INVALID', invalidations };
    const refused = invalidations.length > 0;
    expect(refusalOf(outcome)).toEqual(refused ? { code: 'inheritance_refused', details } : {});
    expect(namesOf(outcome)).toEqual(refused ? [] : ['lineage.registered']);
  });

  it('of nobody may have any permissions', () => {
    const record = recordFacts('child', { permissions_hash: 'more', sensitivity: 'isolated' });
    const outcome = sensitive('restricted', 'held').act(decideRegister, registerCommand('child', { record }));
    expect(refusalOf(outcome)).toEqual({});
  });
});
