import { DecidedWorkgroup, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  inheritCommand,
  recordFacts,
  resumeCommand,
  TENANT,
} from '../../testing/lineage-records.js';
import { decideEvict } from './evict.js';
import { decideRelease } from './hold-lineage.js';
import { decideInherit } from './inherit.js';
import { decideResume } from './resume.js';

/** A lineage for each role, each but the first begun with the context of the one before; ids are their places. */
function chain(...roles: readonly string[]): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  roles.forEach((role, place) => {
    const ownedFiles = [`src/${place}`];
    if (place === 0) decided.held('0', { record: recordFacts('0', { role }), ownedFiles });
    else decided.give(decideInherit, inherited(place, role, roles[place - 1] ?? ''));
  });
  return decided;
}

function inherited(place: number, role: string, parentRole: string, current: object = {}) {
  return inheritCommand(String(place - 1), String(place), {
    record: recordFacts(String(place), { role }),
    current: { ...currentFacts({ role: parentRole }), ...current },
    ownedFiles: [`src/${place}`],
  });
}

const CONTAMINATED = {
  code: 'inheritance_refused',
  details: { state: 'INVALID', invalidations: ['REVIEW_LINEAGE_CONTAMINATION'] },
};

describe('the context behind a lineage', () => {
  it('is that of its parent, and of those behind that one', () => {
    const decided = chain('builder', 'helper', 'writer');
    expect(decided.lineage('0')?.inheritedRoles).toEqual([]);
    expect(decided.lineage('1')?.inheritedRoles).toEqual(['builder']);
    expect(decided.lineage('2')?.inheritedRoles).toEqual(['helper', 'builder']);
  });

  it('names each role once', () => {
    expect(chain('builder', 'helper', 'builder').lineage('2')?.inheritedRoles).toEqual(['helper', 'builder']);
  });

  it('is nothing of a parent’s that only asked', () => {
    const decided = chain('builder', 'helper');
    const record = recordFacts('fresh', { parent_lineage_id: '1', role: 'reviewer' });
    decided.held('fresh', { record });
    expect(decided.lineage('fresh')?.inheritedRoles).toEqual([]);
  });

  it('stays once those have left', () => {
    const decided = chain('builder', 'helper');
    decided.give(decideEvict, { tenantId: TENANT, lineageId: '0', reason: 'INCOMPATIBLE' });
    expect(refusalOf(decided.act(decideInherit, inherited(2, 'reviewer', 'helper')))).toMatchObject(
      CONTAMINATED,
    );
  });

  it.each([
    [['builder', 'helper'], 'reviewer', true],
    [['helper', 'builder'], 'reviewer', true],
    [['builder', 'reviewer-assistant'], 'reviewer', true],
    [['builder', 'helper'], 'helper', false],
    [['helper', 'helper'], 'reviewer', false],
    [['reviewer', 'helper'], 'reviewer', false],
    [['Builder', 'helper'], 'reviewer', false],
  ])('of %j is for a %s or not', (roles, role, refused) => {
    const decided = chain(...roles);
    const outcome = decided.act(decideInherit, inherited(2, role, roles[1] ?? ''));
    expect(refusalOf(outcome)).toMatchObject(refused ? CONTAMINATED : {});
    expect(outcome.answer === undefined).toBe(refused);
  });

  it.each([
    [['builder', 'helper'], true],
    [['helper', 'helper'], false],
  ])('of %j is for an independent reviewer or not, whatever its role', (roles, refused) => {
    const command = inherited(2, 'auditor', roles[1] ?? '', { independent_reviewer: true });
    const outcome = chain(...roles).act(decideInherit, command);
    expect(refusalOf(outcome)).toMatchObject(refused ? CONTAMINATED : {});
    expect(outcome.answer === undefined).toBe(refused);
  });

  it.each([
    [{ independent_reviewer: true }, ['REVIEW_LINEAGE_CONTAMINATION']],
    [
      { independent_reviewer: true, spec_hash: 'other', sensitivity: 'isolated' },
      ['REVIEW_LINEAGE_CONTAMINATION', 'SPEC_MISMATCH', 'SENSITIVITY_MISMATCH'],
    ],
    [{ independent_reviewer: true, scope_complete: true }, ['REVIEW_LINEAGE_CONTAMINATION']],
    [{ independent_reviewer: false }, undefined],
  ])('is not gone on with by an independent reviewer, and stays for others: %j', (facts, invalidations) => {
    const decided = chain('builder', 'helper');
    const fence = decided.lineage('1')?.fence ?? 0;
    decided.give(decideRelease, { tenantId: TENANT, lineageId: '1', fence });
    const current = currentFacts({ role: 'helper', ...facts });
    const outcome = decided.act(decideResume, resumeCommand('1', { current }));
    const details = { lineageId: '1', state: 'INVALID', invalidations };
    expect(refusalOf(outcome)).toEqual(invalidations ? { code: 'resume_refused', details } : {});
    expect(decided.lineage('1')?.status).toBe(invalidations ? 'idle' : 'held');
  });

  it.each([['builder-contaminated'], ['builder']])('of %s is gone on with by its role, or not', (role) => {
    const decided = DecidedWorkgroup.opened();
    const record = recordFacts('one', { role: 'helper' });
    decided.idle('one', { record });
    const one = decided.lineage('one');
    if (one) decided.workgroup = withLineage(decided, { ...one, inheritedRoles: [role] });
    const current = currentFacts({ role: 'helper' });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    const refused = role === 'builder-contaminated';
    expect(refusalOf(outcome)).toMatchObject(refused ? { ...CONTAMINATED, code: 'resume_refused' } : {});
    expect(outcome.answer === undefined).toBe(refused);
  });
});

function withLineage(
  { workgroup }: DecidedWorkgroup,
  lineage: NonNullable<ReturnType<DecidedWorkgroup['lineage']>>,
) {
  return { ...workgroup, lineages: new Map(workgroup.lineages).set(lineage.lineageId, lineage) };
}
