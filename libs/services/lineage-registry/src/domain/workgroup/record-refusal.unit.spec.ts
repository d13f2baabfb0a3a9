import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  digest,
  inheritCommand,
  resumeCommand,
  TENANT,
} from '../../testing/lineage-records.js';
import { decideEvict } from './evict.js';
import { decideRelease, decideRenew } from './hold-lineage.js';
import { decideInherit } from './inherit.js';
import { decideResume } from './resume.js';
import { MOST_KNOWN_REFUSALS } from './workgroup.js';

const ONE = { tenantId: TENANT, lineageId: 'one' };

function holding(): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  decided.held('one');
  return decided;
}

function refusalsIn({ log }: DecidedWorkgroup): readonly string[] {
  return log.flatMap((event) => (event.type === 'palimpsest.lineage.refused' ? [event.payload.code] : []));
}

/** Somebody else asks, so that the lineage stays; which other facts differ are the bits of the place. */
function differentFacts(place: number) {
  const names = ['model', 'effort', 'tools_hash', 'spec_hash'].filter((_, bit) => (place >> bit) % 2 === 1);
  return currentFacts({ role: 'other', ...Object.fromEntries(names.map((name) => [name, 'other'])) });
}

describe('equal refusals', () => {
  it('are heard each time, and recorded once', () => {
    const decided = holding();
    const outcomes = Array.from({ length: 5 }, () => decided.act(decideResume, resumeCommand('one')));
    expect(outcomes.map((outcome) => refusalOf(outcome).code)).toEqual(Array(5).fill('lineage_held'));
    expect(outcomes.map(namesOf)).toEqual([['lineage.refused'], [], [], [], []]);
  });

  it('are recorded once though others came between', () => {
    const decided = holding();
    const inherit = inheritCommand('one', 'child', { current: {} });
    for (let count = 0; count < 20; count += 1) {
      expect(refusalOf(decided.act(decideResume, resumeCommand('one'))).code).toBe('lineage_held');
      expect(refusalOf(decided.act(decideInherit, inherit)).code).toBe('inheritance_refused');
    }
    const both = ['lineage_held', 'inheritance_refused'];
    expect(refusalsIn(decided)).toEqual(both);
    decided.give(decideRenew, { ...ONE, fence: 2 });
    decided.act(decideInherit, inherit);
    decided.act(decideResume, resumeCommand('one'));
    expect(refusalsIn(decided)).toEqual([...both, ...both.toReversed()]);
  });

  it.each([
    [MOST_KNOWN_REFUSALS - 1, MOST_KNOWN_REFUSALS - 1],
    [MOST_KNOWN_REFUSALS, MOST_KNOWN_REFUSALS],
    [MOST_KNOWN_REFUSALS + 1, MOST_KNOWN_REFUSALS],
  ])('and %d different ones, over and over, grow the stream by %d', (different, recorded) => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('one');
    const askedAs = (place: number) => resumeCommand('one', { current: differentFacts(place) });
    for (let round = 0; round < 3; round += 1)
      for (let place = 0; place < different; place += 1)
        expect(refusalOf(decided.act(decideResume, askedAs(place))).code).toBe('resume_refused');
    expect(refusalsIn(decided)).toHaveLength(recorded);
    expect(decided.lineage('one')).toMatchObject({ status: 'idle' });
    const { fence } = decided.give(decideResume, resumeCommand('one'));
    decided.give(decideRelease, { ...ONE, fence });
    decided.act(decideResume, askedAs(0));
    expect(refusalsIn(decided)).toHaveLength(recorded + 1);
  });

  it('that end the lineage do so though no more are recorded', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('one');
    for (let place = 0; place < MOST_KNOWN_REFUSALS; place += 1)
      decided.act(decideInherit, inheritCommand('one', `child-${place}`, { current: differentFacts(place) }));
    expect(refusalsIn(decided)).toHaveLength(MOST_KNOWN_REFUSALS);
    const outcome = decided.act(
      decideResume,
      resumeCommand('one', { current: currentFacts({ model: 'x' }) }),
    );
    expect(namesOf(outcome)).toEqual(['lineage.evicted']);
  });

  it.each([
    ['wants something else', { current: currentFacts({ role: 'auditor' }) }],
    ['has other reasons', { current: currentFacts({ platform: 'codex' }) }],
    ['has one reason more', { current: currentFacts({ role: 'reviewer', platform: 'codex' }) }],
  ])('are equal in all: one that %s is another', (what, other) => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('one');
    const first = { current: currentFacts({ role: 'reviewer' }) };
    decided.act(decideResume, resumeCommand('one', first));
    const outcome =
      what === 'wants something else'
        ? decided.act(decideInherit, inheritCommand('one', 'child', other))
        : decided.act(decideResume, resumeCommand('one', other));
    expect(namesOf(outcome)).toEqual(['lineage.refused']);
  });

  it.each<[string, (decided: DecidedWorkgroup) => unknown, readonly string[]]>([
    [
      'a renewal',
      (decided) => decided.give(decideRenew, { ...ONE, fence: 2 }),
      ['lineage_held', 'lineage_held'],
    ],
    [
      'a release and a resume',
      (decided) => {
        decided.give(decideRelease, { ...ONE, fence: 2 });
        return decided.give(decideResume, resumeCommand('one'));
      },
      ['lineage_held', 'lineage_held'],
    ],
    [
      'an eviction',
      (decided) => decided.give(decideEvict, { ...ONE, reason: 'INCOMPATIBLE' }),
      ['lineage_held', 'lineage_evicted'],
    ],
    ['time', (decided) => (decided.now += 1000), ['lineage_held']],
  ])('are so until something happens to the lineage: %s', (_, happens, recorded) => {
    const decided = holding();
    decided.act(decideResume, resumeCommand('one'));
    happens(decided);
    for (let count = 0; count < 2; count += 1) decided.act(decideResume, resumeCommand('one'));
    expect(refusalsIn(decided)).toEqual(recorded);
  });

  it('about one that left grow nothing', () => {
    const decided = holding();
    decided.give(decideEvict, { ...ONE, reason: 'INCOMPATIBLE' });
    const before = decided.log.length;
    for (let count = 0; count < 9; count += 1) decided.act(decideResume, resumeCommand('one'));
    expect(decided.log.length).toBe(before + 1);
  });

  it('remember what is due all the same', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('one');
    const stale = resumeCommand('one', { current: currentFacts({ capsule_hash: digest('9') }) });
    const names = [1, 2, 3].map(() => namesOf(decided.act(decideResume, stale)));
    expect(names).toEqual([['lineage.refused', 'lineage.reconcile_required'], ['lineage.refused'], []]);
    expect(decided.lineage('one')?.reconcileRequired).toBe(true);
  });
});
