import type { DelegationView } from '@palimpsest/contracts/registry';
import { DecidedWorkgroup, refusalOf, type Outcome } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  delegationView,
  inheritCommand,
  recordFacts,
  registerCommand,
  resumeCommand,
  TENANT,
} from '../../testing/lineage-records.js';
import { decideEvict } from './evict.js';
import { decideRelease } from './hold-lineage.js';
import { decideInherit } from './inherit.js';
import { decideRegister } from './register.js';
import { decideResume } from './resume.js';

const NAMED = { delegationId: 'delegation-1' };

function withParent(): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  decided.held('parent');
  return decided;
}

/** A register under a delegation as `changes` have it. */
function registered(changes: Partial<DelegationView>, command: Parameters<typeof registerCommand>[1] = {}) {
  const asked = {
    ...registerCommand('child', { ...NAMED, ...command }),
    delegation: delegationView(changes),
  };
  return withParent().act(decideRegister, asked);
}

function inherited(changes: Partial<DelegationView>, command: Parameters<typeof inheritCommand>[2] = {}) {
  const delegation = delegationView({ selectedMode: 'inherit-recent', ...changes });
  return withParent().act(decideInherit, {
    ...inheritCommand('parent', 'child', { ...NAMED, ...command }),
    delegation,
  });
}

const WAYS = [
  ['register', registered],
  ['inherit', inherited],
] as const;

function expectMismatch(outcome: Outcome<unknown>, fields: readonly string[]): void {
  const details = { delegationId: 'delegation-1', fields };
  expect(refusalOf(outcome)).toEqual(fields.length > 0 ? { code: 'delegation_mismatch', details } : {});
  expect(outcome.events).toHaveLength(fields.length > 0 ? 0 : 1);
}

const without = (...names: readonly string[]) =>
  Object.fromEntries(Object.entries(recordFacts('child')).filter(([name]) => !names.includes(name)));

describe('a delegation that nobody recorded', () => {
  it('is not found, by register and by inherit', () => {
    const outcomes = [
      withParent().act(decideRegister, registerCommand('child', NAMED)),
      withParent().act(decideInherit, inheritCommand('parent', 'child', NAMED)),
    ];
    for (const outcome of outcomes) {
      expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: NAMED });
      expect(outcome.events).toEqual([]);
    }
  });
});

describe.each(WAYS)('the unit of a delegation: %s', (_, begin) => {
  it.each<[string, Partial<DelegationView>, object, readonly string[]]>([
    ['the same', {}, {}, []],
    ['another role', { role: 'auditor' }, {}, ['role']],
    ['another sensitivity', { sensitivity: 'restricted' }, {}, ['sensitivity']],
    ['a path beside', {}, { ownedFiles: ['src/a', 'docs'] }, ['ownedFiles']],
    ['a path around', {}, { ownedFiles: ['.'] }, ['ownedFiles']],
    ['a name that begins alike', {}, { ownedFiles: ['srcs'] }, ['ownedFiles']],
    ['paths where none were delegated', { ownedPaths: [] }, { ownedFiles: ['src'] }, ['ownedFiles']],
    ['less', {}, { ownedFiles: ['./SRC/a', 'src/b'] }, []],
    ['anything of the root', { ownedPaths: ['.'] }, { ownedFiles: ['docs', 'x/y'] }, []],
    [
      'all of it',
      { role: 'auditor', sensitivity: 'isolated' },
      { ownedFiles: ['docs'] },
      ['role', 'sensitivity', 'ownedFiles'],
    ],
  ])('is the one that begins, or owns less: %s', (_what, changes, command, fields) => {
    expectMismatch(begin(changes, command), fields);
  });

  it.each([
    ['those of the delegation where none are named', undefined, ['src', 'docs/a']],
    ['those that are named', ['src/a'], ['src/a']],
    ['none where none are wanted', [], []],
  ])('owns %s', (_what, ownedFiles, ownedPaths) => {
    const outcome = begin({ ownedPaths: ['src', 'docs/a'] }, ownedFiles && { ownedFiles });
    expect(outcome.answer?.lineage).toMatchObject({ ownedPaths, isWriter: ownedPaths.length > 0 });
  });

  it('owns the root where that was delegated', () => {
    expect(begin({ ownedPaths: ['.'] }).events).toMatchObject([{ payload: { ownedPaths: [''] } }]);
  });

  it('has the role and the sensitivity of the delegation where its record has none', () => {
    const record = without('role', 'sensitivity') as ReturnType<typeof recordFacts>;
    const { answer, events } = begin({ role: 'indexer' }, { record });
    expect(answer?.lineage.record).toMatchObject({ role: 'indexer', sensitivity: 'normal' });
    expect(events).toMatchObject([{ payload: NAMED }]);
  });
});

describe('the mode of a delegation', () => {
  it.each<[DelegationView['selectedMode'], string, string, readonly string[]]>([
    ['fresh-capsule', 'fresh-capsule', 'fresh-capsule', []],
    ['local', 'fresh-capsule', 'local', ['mode']],
    ['coordinated-team', 'local', 'coordinated-team', ['mode']],
    ['fresh-capsule', 'resume', 'fresh-capsule', ['mode']],
    ['resume', 'fresh-capsule', 'fresh-capsule', ['mode']],
    ['inherit-full', 'local', 'local', ['mode']],
    ['inherit-recent', 'fresh-capsule', 'fresh-capsule', ['mode']],
  ])('%s, registered as %s, is %s', (selectedMode, stated, mode, differences) => {
    const record = recordFacts('child', { mode: stated });
    const { answer } = registered({ selectedMode }, { record });
    expect(answer).toMatchObject({ differences, lineage: { grant: mode, record: { mode } } });
  });

  it('is what is wanted by who takes nothing over: a reuse is not registered all the same', () => {
    const record = recordFacts('child', { mode: 'resume' });
    const outcome = registered({ selectedMode: 'resume' }, { record });
    expect(refusalOf(outcome)).toMatchObject({ code: 'validation_error', details: { field: 'record.mode' } });
  });

  it.each<[DelegationView['selectedMode'], 'inherit-full' | 'inherit-recent', boolean]>([
    ['inherit-full', 'inherit-full', true],
    ['inherit-recent', 'inherit-recent', true],
    ['inherit-recent', 'inherit-full', false],
    ['inherit-full', 'inherit-recent', false],
    ['resume', 'inherit-full', false],
    ['fresh-capsule', 'inherit-recent', false],
    ['local', 'inherit-recent', false],
    ['coordinated-team', 'inherit-recent', false],
  ])('%s, inherited as %s: %p', (selectedMode, mode, isSelected) => {
    expectMismatch(inherited({ selectedMode }, { mode }), isSelected ? [] : ['mode']);
  });
});

describe('an independent reviewer', () => {
  const REVIEW = { independentReviewer: true, role: 'reviewer', ownedPaths: [] };

  it('inherits from nobody, whatever mode was selected', () => {
    const record = recordFacts('child', { role: 'reviewer' });
    expectMismatch(inherited(REVIEW, { record }), ['independentReviewer']);
  });

  it.each([true, false])('begins anew each time: %p', (independentReviewer) => {
    const decided = DecidedWorkgroup.opened();
    const record = recordFacts('one', { role: 'reviewer' });
    const delegation = delegationView({ ...REVIEW, independentReviewer });
    const { fence } = decided.give(decideRegister, {
      ...registerCommand('one', { ...NAMED, record }),
      delegation,
    });
    decided.give(decideRelease, { tenantId: TENANT, lineageId: 'one', fence });
    const current = currentFacts({ role: 'reviewer' });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    const verdict = { state: 'HOT', invalidations: [], reasonCodes: ['REVIEW_INDEPENDENCE'] };
    const refusal = { code: 'resume_refused', details: { lineageId: 'one', ...verdict } };
    expect(refusalOf(outcome)).toEqual(independentReviewer ? refusal : {});
    expect(decided.lineage('one')?.status).toBe(independentReviewer ? 'idle' : 'held');
  });
});

describe('who delegated', () => {
  it.each([
    ['it, inherited from', 'parent', 'inherit', 'parent', []],
    ['another, inherited from', 'other', 'inherit', 'parent', ['parentLineageId']],
    ['nobody on record, inherited from', undefined, 'inherit', 'parent', []],
    ['it, registered under', 'parent', 'register', 'parent', []],
    ['another, registered under', 'other', 'register', 'parent', ['parentLineageId']],
    ['it, registered under nobody', 'parent', 'register', null, []],
    ['nobody on record, registered under', undefined, 'register', 'parent', []],
  ] as [string, string | undefined, 'inherit' | 'register', string | null, string[]][])(
    'is the parent: %s',
    (_, ...[parentLineageId, way, parent_lineage_id, fields]) => {
      const changes = parentLineageId === undefined ? {} : { parentLineageId };
      const record = recordFacts('child', { parent_lineage_id });
      expectMismatch(way === 'inherit' ? inherited(changes) : registered(changes, { record }), fields);
    },
  );
});

describe('a delegation is for one lineage at a time', () => {
  const under = (lineageId: string, delegationId = 'delegation-1') => ({
    ...registerCommand(lineageId, { delegationId, ownedFiles: [] }),
    delegation: delegationView({ delegationId }),
  });
  const details = { delegationId: 'delegation-1', fields: ['delegationId'] };
  const IN_USE = { code: 'delegation_mismatch', details };
  const ONE = { tenantId: TENANT, lineageId: 'one' };

  it.each([
    ['held', () => undefined, IN_USE],
    ['idle', (decided: DecidedWorkgroup) => decided.give(decideRelease, { ...ONE, fence: 2 }), IN_USE],
    [
      'gone',
      (decided: DecidedWorkgroup) => decided.give(decideEvict, { ...ONE, reason: 'INCOMPATIBLE' }),
      {},
    ],
    ['over by the clock', (decided: DecidedWorkgroup) => (decided.now += 300_000), {}],
  ] as [string, (decided: DecidedWorkgroup) => unknown, object][])(
    'is begun again once that is gone: %s',
    (_, happens, refusal) => {
      const decided = DecidedWorkgroup.opened();
      decided.give(decideRegister, under('one'));
      happens(decided);
      expect(refusalOf(decided.act(decideRegister, under('two')))).toEqual(refusal);
    },
  );

  it('bars no other delegation, and an inheritance as well', () => {
    const decided = DecidedWorkgroup.opened();
    decided.give(decideRegister, under('one'));
    expect(refusalOf(decided.act(decideRegister, under('two', 'delegation-2')))).toEqual({});
    const delegation = delegationView({ selectedMode: 'inherit-recent' });
    const command = inheritCommand('one', 'three', { ...NAMED, ownedFiles: [] });
    expect(refusalOf(decided.act(decideInherit, { ...command, delegation }))).toEqual(IN_USE);
  });
});
