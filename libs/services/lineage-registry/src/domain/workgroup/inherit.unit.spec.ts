import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  digest,
  inheritCommand,
  recordFacts,
  resumeCommand,
  TENANT,
} from '../../testing/lineage-records.js';
import { decideEvict } from './evict.js';
import { decideInherit } from './inherit.js';
import { decideResume } from './resume.js';
import { DEFAULT_LEASE_MS, DEFAULT_WARM_MS, MOST_LINEAGES } from './workgroup.js';

function withParent(changes: Parameters<DecidedWorkgroup['held']>[1] = {}): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
  decided.held('parent', changes);
  return decided;
}

/** A child whose record is as `changes` say. */
function child(changes: object, more: object = {}) {
  const record = recordFacts('child', { mode: 'inherit-recent', parent_lineage_id: 'parent', ...changes });
  return inheritCommand('parent', 'child', { record, ...more });
}

describe('a child that inherits', () => {
  it.each(['inherit-full', 'inherit-recent'] as const)('begins with its parent’s context: %s', (mode) => {
    const decided = withParent();
    const before = decided.lineage('parent');
    const command = inheritCommand('parent', 'child', { mode });
    const outcome = decided.act(decideInherit, command);
    expect(outcome.answer).toMatchObject({
      fence: 3,
      differences: [],
      lineage: { status: 'held', grant: mode, depth: 1, record: { mode, parent_lineage_id: 'parent' } },
    });
    expect(outcome.events).toMatchObject([
      {
        type: 'palimpsest.lineage.registered',
        lineageId: 'child',
        payload: { grant: mode, inheritedFrom: 'parent', inheritedRoles: ['indexer'], depth: 1 },
      },
    ]);
    expect(decided.lineage('parent')).toBe(before);
  });

  it('is the parent’s and of the mode that is granted, whatever its record says', () => {
    const record = recordFacts('child', { mode: 'local', parent_lineage_id: 'another', phase: '2A' });
    const command = inheritCommand('parent', 'child', { record, current: currentFacts({ phase: '3' }) });
    const { differences, lineage } = withParent().give(decideInherit, command);
    expect(differences).toEqual(['phase', 'parent_lineage_id', 'mode', 'current.phase']);
    expect(lineage.record).toMatchObject({
      mode: 'inherit-recent',
      parent_lineage_id: 'parent',
      phase: '1A',
    });
  });

  it.each([
    ['held', DEFAULT_LEASE_MS, 'held'],
    ['idle', DEFAULT_WARM_MS, 'idle'],
  ] as const)('has a parent that is %s, to the last millisecond', (_, leaseMs, how) => {
    for (const beyond of [-1, 0, 1]) {
      const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
      decided[how]('parent');
      decided.now += leaseMs + beyond;
      const outcome = decided.act(decideInherit, inheritCommand('parent', 'child'));
      const details = { lineageId: 'parent', reason: 'LEASE_EXPIRED' };
      expect(refusalOf(outcome)).toEqual(beyond < 0 ? {} : { code: 'lineage_evicted', details });
      expect(namesOf(outcome)).toEqual(
        beyond < 0 ? ['lineage.registered'] : ['lineage.evicted', 'lineage.refused'],
      );
    }
  });

  it('has a parent', () => {
    const outcome = DecidedWorkgroup.opened().act(decideInherit, inheritCommand('parent', 'child'));
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { lineageId: 'parent' } });
  });

  it.each([
    ['a record that is none', child({ role: '' }), 'validation_error'],
    ['an id that is known', inheritCommand('parent', 'parent'), 'lineage_exists'],
    ['a writer’s role without paths', child({ role: 'writer' }), 'context_refused'],
  ])('is refused without a trace where it is malformed: %s', (_, command, code) => {
    const outcome = withParent().act(decideInherit, command);
    expect(refusalOf(outcome)).toMatchObject({ code });
    expect(outcome.events).toEqual([]);
  });
});

describe('an inheritance that is refused', () => {
  it.each<[string, ReturnType<typeof child>, string, readonly string[]]>([
    [
      'other work',
      child({}, { current: currentFacts({ spec_hash: 'other' }) }),
      'INVALID',
      ['SPEC_MISMATCH'],
    ],
    ['a final gate', child({}, { current: currentFacts({ final_gate: true }) }), 'INVALID', ['FINAL_GATE']],
    ['no facts', child({}, { current: {} }), 'INVALID', ['UNKNOWN_PROVENANCE']],
    [
      'another capsule',
      child({}, { current: currentFacts({ capsule_hash: digest('9') }) }),
      'RECONCILE_REQUIRED',
      ['RECONCILIATION_REQUIRED'],
    ],
    ['a complete scope', child({}, { current: currentFacts({ scope_complete: true }) }), 'COLD_VALID', []],
    ['another platform of the child', child({ platform: 'codex' }), 'INVALID', ['PLATFORM_MISMATCH']],
    ['other tools of the child', child({ tools_hash: 'more' }), 'INVALID', ['TOOLS_MISMATCH']],
    [
      'other permissions of the child',
      child({ permissions_hash: 'more' }),
      'INVALID',
      ['PERMISSIONS_MISMATCH'],
    ],
    [
      'another sensitivity of the child',
      child({ sensitivity: 'isolated' }),
      'INVALID',
      ['SENSITIVITY_MISMATCH'],
    ],
    [
      'all of these',
      child({ tools_hash: 'more', permissions_hash: 'more', sensitivity: 'isolated' }),
      'INVALID',
      ['TOOLS_MISMATCH', 'PERMISSIONS_MISMATCH', 'SENSITIVITY_MISMATCH'],
    ],
  ])('leaves the parent as it is: %s', (_, command, state, invalidations) => {
    const decided = withParent();
    const before = decided.lineage('parent');
    const outcome = decided.act(decideInherit, command);
    const details = { lineageId: 'parent', state, invalidations };
    expect(refusalOf(outcome)).toEqual({ code: 'inheritance_refused', details });
    const payload = { wanted: 'inherit', code: 'inheritance_refused', state, invalidations };
    expect(outcome.events).toEqual([{ type: 'palimpsest.lineage.refused', lineageId: 'parent', payload }]);
    expect(decided.lineage('parent')).toEqual({ ...before, knownRefusals: [payload] });
    expect(decided.lineage('child')).toBeUndefined();
  });

  it.each([
    ['a reviewer, of a builder', 'builder', 'reviewer', true],
    ['anybody, of who is contaminated', 'builder-contaminated', 'indexer', true],
    ['a builder, of a builder', 'builder', 'builder', false],
    ['a reviewer, of a reviewer', 'reviewer', 'reviewer', false],
    ['a builder, of a reviewer', 'reviewer', 'builder', false],
  ])('is one of a review: %s', (_, parentRole, role, refused) => {
    const decided = withParent({ record: recordFacts('parent', { role: parentRole }), ownedFiles: ['src'] });
    const command = child({ role }, { current: currentFacts({ role: parentRole }), ownedFiles: ['docs'] });
    const outcome = decided.act(decideInherit, command);
    const details = { state: 'INVALID', invalidations: ['REVIEW_LINEAGE_CONTAMINATION'] };
    expect(refusalOf(outcome)).toMatchObject(refused ? { code: 'inheritance_refused', details } : {});
    expect(outcome.answer === undefined).toBe(refused);
  });

  it('is one of an independent reviewer', () => {
    const decided = withParent({ record: recordFacts('parent', { role: 'builder' }), ownedFiles: ['src'] });
    const current = currentFacts({ role: 'builder', independent_reviewer: true });
    const outcome = decided.act(decideInherit, child({ role: 'auditor' }, { current }));
    expect(refusalOf(outcome)).toMatchObject({
      details: { invalidations: ['REVIEW_LINEAGE_CONTAMINATION'] },
    });
  });

  it('is one of a reconciliation that is due', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('parent');
    decided.act(
      decideResume,
      resumeCommand('parent', { current: currentFacts({ reconcile_required: true }) }),
    );
    const outcome = decided.act(decideInherit, inheritCommand('parent', 'child'));
    expect(refusalOf(outcome)).toMatchObject({ details: { state: 'RECONCILE_REQUIRED' } });
  });

  it('is one of a parent that left', () => {
    const decided = withParent();
    decided.give(decideEvict, { tenantId: TENANT, lineageId: 'parent', reason: 'INCOMPATIBLE' });
    const outcome = decided.act(decideInherit, inheritCommand('parent', 'child'));
    const details = { lineageId: 'parent', reason: 'INCOMPATIBLE' };
    expect(refusalOf(outcome)).toEqual({ code: 'lineage_evicted', details });
    expect(outcome.events).toMatchObject([
      { lineageId: 'parent', payload: { wanted: 'inherit', state: null } },
    ]);
  });
});

describe('what bars an inheritance that facts allow', () => {
  it('is the parent’s own paths', () => {
    const decided = withParent({ ownedFiles: ['src'] });
    const outcome = decided.act(decideInherit, child({}, { ownedFiles: ['src/a'] }));
    expect(refusalOf(outcome)).toEqual({ code: 'writer_scope_conflict', details: { lineageId: 'parent' } });
    const payload = { wanted: 'inherit', code: 'writer_scope_conflict', state: 'HOT', invalidations: [] };
    expect(outcome.events).toEqual([{ type: 'palimpsest.lineage.refused', lineageId: 'parent', payload }]);
  });

  it.each([
    [0, 1],
    [1, 2],
    [2, undefined],
  ])('is a parent of depth %i, or not', (depth, expected) => {
    const decided = DecidedWorkgroup.opened();
    decided.held('depth-0');
    for (let level = 1; level <= depth; level += 1) {
      decided.give(decideInherit, inheritCommand(`depth-${level - 1}`, `depth-${level}`));
    }
    const outcome = decided.act(decideInherit, inheritCommand(`depth-${depth}`, 'child'));
    expect(outcome.answer?.lineage.depth).toBe(expected);
    expect(refusalOf(outcome).code).toBe(expected === undefined ? 'nesting_limit' : undefined);
    expect(namesOf(outcome)).toEqual([expected === undefined ? 'lineage.refused' : 'lineage.registered']);
  });

  it.each([
    [0, true, undefined],
    [1, true, undefined],
    [2, true, 'inherited_writer_limit'],
    [3, false, undefined],
  ])('are %i that write with context taken over', (others, isWriter, code) => {
    const decided = withParent();
    for (let place = 0; place < others; place += 1) {
      const ownedFiles = isWriter ? [`other-${place}`] : [];
      decided.give(decideInherit, inheritCommand('parent', `other-${place}`, { ownedFiles }));
    }
    const outcome = decided.act(decideInherit, inheritCommand('parent', 'child', { ownedFiles: ['src'] }));
    expect(refusalOf(outcome).code).toBe(code);
    const reader = decided.act(decideInherit, inheritCommand('parent', 'reader'));
    expect(refusalOf(reader)).toEqual({});
  });

  it('is that a resumed writer and one that inherited are as many as may be', () => {
    const decided = withParent();
    decided.idle('resumed', { ownedFiles: ['a'] });
    decided.give(decideResume, resumeCommand('resumed'));
    decided.give(decideInherit, inheritCommand('parent', 'other', { ownedFiles: ['b'] }));
    const outcome = decided.act(decideInherit, child({}, { ownedFiles: ['c'] }));
    expect(refusalOf(outcome)).toEqual({ code: 'inherited_writer_limit', details: { limit: 2 } });
    decided.give(decideEvict, { tenantId: TENANT, lineageId: 'resumed', reason: 'CAPACITY_PRESSURE' });
    expect(decided.give(decideInherit, child({}, { ownedFiles: ['c'] })).lineage.isWriter).toBe(true);
  });

  it('is a full workgroup, unless somebody else than the parent is idle', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('parent');
    for (let place = 2; place < MOST_LINEAGES; place += 1) decided.held(`lineage-${place}`);
    decided.idle('warm');
    const first = decided.act(decideInherit, inheritCommand('parent', 'child-1'));
    expect(namesOf(first)).toEqual(['lineage.evicted', 'lineage.registered']);
    expect(first.events).toMatchObject([{ lineageId: 'warm', payload: { reason: 'CAPACITY_PRESSURE' } }, {}]);
    const second = decided.act(decideInherit, inheritCommand('parent', 'child-2'));
    expect(refusalOf(second)).toMatchObject({ code: 'workgroup_full' });
    expect(second.events).toMatchObject([{ type: 'palimpsest.lineage.refused', lineageId: 'parent' }]);
  });
});
