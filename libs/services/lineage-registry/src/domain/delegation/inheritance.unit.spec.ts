import type { Delegate } from '@palimpsest/contracts/registry';
import { FRESH, held, INHERITANCE, routeOn, viewOn } from '../../testing/decided-delegations.js';
import { CURRENT, GOING_ON, lineageCalled, NOW, READER, workgroupOf } from '../../testing/delegations.js';
import { sampleRecord } from '../../testing/sample-events.js';
import { decideResume } from '../workgroup/resume.js';
import type { Lineage } from '../workgroup/workgroup.js';

describe('inheritance that the caller calls safe', () => {
  const AFFINE = { inheritance: INHERITANCE };
  const FULL = 'inherit-full HIGH_CONTEXT_AFFINITY';
  const BARRED = `${FRESH} CAPABILITY_FALLBACK`;
  const of = (record: Parameters<typeof sampleRecord>[1], change: Partial<Lineage> = {}) =>
    held('parent', { record: sampleRecord('parent', record), ...change });
  const child: Delegate = { ...READER, parentLineageId: 'parent', routing: AFFINE };

  it.each([
    ['that works', {}, of({}), FULL],
    ['that is warm', {}, lineageCalled('parent'), FULL],
    [
      'that is gone',
      {},
      of({ lease_expires_at: null }, { status: 'evicted', eviction: 'CAPACITY_PRESSURE' }),
      BARRED,
    ],
    ['that is to be reconciled', {}, of({}, { reconcileRequired: true }), BARRED],
    ['of another sensitivity', {}, of({ sensitivity: 'restricted' }), BARRED],
    ['that builds, of a reviewer', { role: 'reviewer' }, of({ role: 'builder' }), BARRED],
    ['that helps, of a reviewer', { role: 'reviewer' }, of({ role: 'helper' }), FULL],
    [
      'that helps with what a builder knows, of a reviewer',
      { role: 'reviewer' },
      of({ role: 'helper' }, { inheritedRoles: ['planner', 'builder'] }),
      BARRED,
    ],
    [
      'that helps with what a builder knows, of another helper',
      { role: 'helper' },
      of({ role: 'helper' }, { inheritedRoles: ['planner', 'builder'] }),
      FULL,
    ],
    ['that is contaminated', {}, of({ role: 'builder-contaminated' }), BARRED],
    [
      'that began with what is contaminated',
      {},
      of({ role: 'helper' }, { inheritedRoles: ['builder-contaminated'] }),
      BARRED,
    ],
  ] as [string, Partial<Delegate>, Lineage, string][])(
    'from a parent %s',
    (_, ...[change, parent, route]) => {
      const command = { ...child, ...change };
      expect(routeOn(command, parent)).toBe(route);
      const named = route === FULL ? [] : ['inheritance.safe'];
      expect(viewOn(command, { lineages: [parent] }).differences).toEqual(named);
    },
  );

  it('bars nothing else: recent context neither, the rest as it would be', () => {
    const recent = { ...INHERITANCE, recent_supported: true, recent_sufficient: true };
    const command: Delegate = { ...child, routing: { inheritance: recent } };
    expect(routeOn(command, of({}))).toBe('inherit-recent BOUNDED_RECENT_CONTEXT');
    expect(routeOn(command, of({ sensitivity: 'restricted' }))).toBe(BARRED);
    const trivial: Delegate = { ...command, routing: { inheritance: recent, trivial: true } };
    expect(routeOn(trivial, of({ sensitivity: 'restricted' }))).toBe('local LOCAL_CHEAPER');
  });

  it.each([false, null, 'true'])('is what the caller has to say: %p', (safe) => {
    const command: Delegate = { ...child, routing: { inheritance: { ...INHERITANCE, safe } } };
    const isolated = safe === false ? `${FRESH} SENSITIVITY_ISOLATION` : BARRED;
    for (const parent of [of({}), of({ sensitivity: 'restricted' })]) {
      expect(routeOn(command, parent)).toBe(isolated);
      expect(viewOn(command, { lineages: [parent] }).differences).toEqual([]);
    }
  });

  it('from the lineage that is named counts as well, and either bars it', () => {
    const due = lineageCalled('one', { reconcileRequired: true });
    const command: Delegate = { ...GOING_ON, ownedFiles: ['src/own'], routing: AFFINE };
    expect(routeOn(command, held('one'))).toBe(FULL);
    expect(routeOn(command, due)).toBe(BARRED);
    expect(viewOn(command, { lineages: [due] }).differences).toEqual(['inheritance.safe']);
    const both: Delegate = { ...command, parentLineageId: 'parent' };
    expect(routeOn(both, held('one'), of({}))).toBe(FULL);
    expect(routeOn(both, held('one'), of({ sensitivity: 'restricted' }))).toBe(BARRED);
    expect(routeOn(both, due, of({}))).toBe(BARRED);
  });

  it('from nobody who is named is on no record', () => {
    const command: Delegate = { ...READER, routing: AFFINE };
    expect(routeOn(command, of({}))).toBe(BARRED);
    expect(viewOn(command).differences).toEqual(['inheritance.safe']);
  });

  it('is closed behind the final gate', () => {
    const workgroup = { ...workgroupOf(of({}), lineageCalled('one')), finalGate: true };
    expect(viewOn(child, { workgroup })).toMatchObject({
      mode: 'fresh-capsule',
      differences: ['inheritance.safe'],
    });
    expect(viewOn(GOING_ON, { workgroup })).toMatchObject({
      mode: 'fresh-capsule',
      lineage: { state: 'INVALID', invalidations: ['FINAL_GATE'] },
      compatibleLineage: null,
    });
    const denied = { ...GOING_ON, current: { ...CURRENT, final_gate: false } };
    expect(viewOn(denied, { workgroup }).differences).toEqual(['current.final_gate']);
  });
});

it('a lineage that is isolated is nobody’s to go on as', () => {
  expect(viewOn(GOING_ON, { lineages: [lineageCalled('one')] })).toMatchObject({ compatibleLineage: 'one' });
  const reviewers = [lineageCalled('one', { independentReviewer: true })];
  expect(viewOn(GOING_ON, { lineages: reviewers })).toMatchObject({
    mode: 'fresh-capsule',
    compatibleLineage: null,
    lineage: { state: 'HOT' },
  });
  const record = sampleRecord('one', { sensitivity: 'restricted' });
  const current = { ...CURRENT, sensitivity: 'restricted' };
  const restricted: Delegate = { ...GOING_ON, sensitivity: 'restricted', current };
  expect(viewOn(restricted, { lineages: [lineageCalled('one', { record })] })).toMatchObject({
    reasonCodes: ['INDEPENDENT_CAPSULE', 'SENSITIVITY_ISOLATION'],
    compatibleLineage: null,
    lineage: { state: 'HOT' },
  });
});

it('a lineage that began with what its role may not know is hot for nobody', () => {
  const record = sampleRecord('one', { role: 'reviewer' });
  const current = { ...CURRENT, role: 'reviewer' };
  const command: Delegate = { ...GOING_ON, role: 'reviewer', current };
  const viewWith = (inheritedRoles: readonly string[]) =>
    viewOn(command, { lineages: [lineageCalled('one', { record, inheritedRoles })] });
  expect(viewWith(['planner'])).toMatchObject({ mode: 'resume', compatibleLineage: 'one' });
  expect(viewWith(['planner', 'builder'])).toMatchObject({ mode: 'fresh-capsule', compatibleLineage: null });
});

describe('an independent reviewer', () => {
  const record = sampleRecord('one', { role: 'auditor' });
  const current = { ...CURRENT, role: 'auditor' };
  const plain: Delegate = { ...GOING_ON, role: 'auditor', ownedFiles: ['src/own'], current };
  const CONTAMINATED = { state: 'INVALID', invalidations: ['REVIEW_LINEAGE_CONTAMINATION'] };
  const HOT = { state: 'HOT', invalidations: [] as string[] };
  const BY_COMMAND = { independentReviewer: true };
  const BY_FACTS = { current: { ...current, independent_reviewer: true } };

  it.each<[string, Partial<Delegate>, readonly string[], typeof HOT, string, string | null]>([
    ['by its command, of a builder', BY_COMMAND, ['planner', 'builder'], CONTAMINATED, 'fresh-capsule', null],
    ['by its facts, of a builder', BY_FACTS, ['planner', 'builder'], CONTAMINATED, 'fresh-capsule', null],
    ['by its command, of a planner', BY_COMMAND, ['planner'], HOT, 'fresh-capsule', 'one'],
    ['by its facts, of a planner', BY_FACTS, ['planner'], HOT, 'fresh-capsule', 'one'],
    ['not at all, of a builder', {}, ['planner', 'builder'], HOT, 'resume', 'one'],
    [
      'whose facts deny it',
      { ...BY_COMMAND, current: { ...current, independent_reviewer: false } },
      ['builder'],
      CONTAMINATED,
      'fresh-capsule',
      null,
    ],
  ])(
    'hears of a lineage what a resume would say: %s',
    (_, ...[change, inheritedRoles, lineage, mode, compatible]) => {
      const named = lineageCalled('one', { record, inheritedRoles });
      const view = viewOn({ ...plain, ...change }, { lineages: [named] });
      expect(view).toMatchObject({ lineage, mode, compatibleLineage: compatible });
      const facts = { ...(change.current ?? current), ...(change.independentReviewer && BY_FACTS.current) };
      const resume = { tenantId: 'acme', lineageId: 'one', current: facts };
      const decision = decideResume(workgroupOf(named), resume, NOW);
      const refusal = 'refusal' in decision ? decision.refusal.details : { lineageId: 'one', ...HOT };
      expect(refusal).toEqual({ lineageId: 'one', ...lineage });
    },
  );

  it.each([
    ['builder', [], ['inheritance.safe']],
    ['helper', ['builder'], ['inheritance.safe']],
    ['helper', ['planner'], []],
  ] as [string, string[], string[]][])('takes nothing over from a parent: %s, %j', (role, behind, denied) => {
    const parent = held('parent', { record: sampleRecord('parent', { role }), inheritedRoles: behind });
    const command: Delegate = {
      ...READER,
      ...BY_COMMAND,
      role: 'auditor',
      parentLineageId: 'parent',
      routing: { inheritance: INHERITANCE },
    };
    expect(viewOn(command, { lineages: [parent] })).toMatchObject({
      mode: 'fresh-capsule',
      differences: denied,
    });
  });
});
