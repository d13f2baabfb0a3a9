import type { Delegate } from '@palimpsest/contracts/registry';
import { held, viewOn } from '../../testing/decided-delegations.js';
import { CURRENT, GOING_ON, lineageCalled, READER } from '../../testing/delegations.js';
import { sampleRecord } from '../../testing/sample-events.js';
import type { Lineage } from '../workgroup/workgroup.js';

describe('differences', () => {
  const WRITERS = [held('a', { ownedPaths: ['src/a', 'docs'], grant: 'resume' }), held('b')];
  const same = {
    active_writers: [{ resolved_owned_files: ['Src/B'] }, { owned_files: ['docs', 'src/a'] }],
    active_inherited_writers: 1,
    max_active_inherited: 2,
    nesting_depth: 1,
    max_nesting_depth: 2,
    lineage: { compatible: true, resumable: true, lineage_id: 'one', role: 'builder' },
  };
  const command: Delegate = { ...GOING_ON, parentLineageId: 'parent', routing: same };
  const lineages = [...WRITERS, lineageCalled('one'), lineageCalled('parent', { depth: 1 })];

  it('are none where it is said as it is recorded, or not said', () => {
    expect(viewOn(command, { lineages }).differences).toEqual([]);
    expect(viewOn({ ...command, routing: undefined }, { lineages }).differences).toEqual([]);
    const unset = Object.fromEntries(Object.keys(same).map((name) => [name, null]));
    const routing = { ...unset, workspace_root: null };
    expect(viewOn({ ...command, routing }, { lineages }).differences).toEqual([]);
  });

  it.each([
    ['active_writers', { active_writers: [] }],
    ['active_writers', { active_writers: [{ owned_files: ['src/a', 'docs', 'src/b'] }] }],
    ['active_writers', { active_writers: [{ owned_files: ['../a'] }] }],
    ['active_writers', { active_writers: [null, 5] }],
    ['active_writers', { active_writers: 'none' }],
    ['active_writer_scopes', { active_writer_scopes: [] }],
    ['active_inherited_writers', { active_inherited_writers: 0 }],
    ['max_active_inherited', { max_active_inherited: 3 }],
    ['nesting_depth', { nesting_depth: 0 }],
    ['max_nesting_depth', { max_nesting_depth: 3 }],
    ['workspace_root', { workspace_root: 'workspace' }],
    ['workspace_root', { workspace_root: 5 }],
    ['lineage.compatible', { lineage: { compatible: false } }],
    ['lineage.resumable', { lineage: { resumable: 'true' } }],
    ['lineage.lineage_id', { lineage: { lineage_id: 'other' } }],
    ['lineage.role', { lineage: { role: 'reviewer' } }],
  ] as [string, Delegate['routing']][])('name %s: %j', (name, change) => {
    const routing = { ...same, ...change };
    const view = viewOn({ ...command, routing }, { lineages });
    expect(view.differences).toEqual([name]);
    expect(view).toEqual({ ...viewOn(command, { lineages }), differences: [name] });
    expect(viewOn({ ...command, routing: { input: routing } }, { lineages }).differences).toEqual([name]);
  });

  it.each([
    ['current.workgroup_id', { workgroup_id: 'other' }],
    ['current.workgroup_id', { workgroup_id: null }],
    ['current.phase', { phase: '3' }],
  ])('name %s: %j', (name, change) => {
    const view = viewOn({ ...command, current: { ...CURRENT, ...change } }, { lineages });
    expect([view.differences, view.mode]).toEqual([[name], 'resume']);
  });

  it.each([
    ['as they are recorded', {}, ['Src\\One/'], undefined, []],
    ['in two lists', {}, ['src/one'], ['./src/one'], []],
    ['others', {}, ['src/two'], undefined, ['owned_files']],
    ['others in the second list', {}, undefined, ['src/two'], ['resolved_owned_files']],
    ['more', {}, ['src/one', 'src/two'], undefined, ['owned_files']],
    ['none', {}, [], undefined, ['owned_files']],
    ['as the command does', { ownedFiles: ['docs'] }, ['docs'], undefined, []],
    ['other than the command', { ownedFiles: ['docs'] }, ['src/one'], undefined, ['owned_files']],
    ['what cannot be read', { ownedFiles: ['docs'] }, ['../docs'], undefined, ['owned_files']],
    ['none, as the command does', { ownedFiles: [], role: 'indexer' }, [], undefined, []],
    ['where none are on record', { lineageId: undefined, current: undefined }, ['a'], undefined, []],
  ] as [string, Partial<Delegate>, string[]?, string[]?, string[]?][])(
    'name paths of the unit: %s',
    (_, ...[change, owned_files, resolved_owned_files, names]) => {
      const reader = sampleRecord('one', { role: 'indexer' });
      const isReader = change.role === 'indexer';
      const current = isReader ? { ...CURRENT, role: 'indexer' } : CURRENT;
      const routing = {
        ...(owned_files && { owned_files }),
        ...(resolved_owned_files && { resolved_owned_files }),
      };
      const lineage = lineageCalled('one', isReader ? { record: reader, isWriter: false } : {});
      const view = viewOn({ ...GOING_ON, current, ...change, routing }, { lineages: [lineage] });
      expect(view.differences).toEqual(names);
    },
  );

  it.each([
    ['as they are recorded', ['SRC/one'], []],
    ['others', ['src/two'], ['lineage.owned_files']],
    ['none', [], ['lineage.owned_files']],
  ])('name paths of the lineage: %s', (_, owned_files, names) => {
    const routing = { lineage: { owned_files } };
    expect(viewOn({ ...GOING_ON, routing }, { lineages: [lineageCalled('one')] }).differences).toEqual(names);
  });

  it.each([
    ['lineage_id', 'one'],
    ['role', 'builder'],
    ['owned_files', ['src/one']],
    ['resolved_owned_files', ['src/one']],
  ])('name what is said of a lineage where none is named: %s', (name, value) => {
    const said = { ...READER, routing: { lineage: { [name]: value } } };
    expect(viewOn(said, { lineages: [lineageCalled('one')] }).differences).toEqual([`lineage.${name}`]);
  });

  it('name a reconciliation that the caller denies', () => {
    const due = [lineageCalled('one', { reconcileRequired: true })];
    const denied = { ...GOING_ON, current: { ...CURRENT, reconcile_required: false } };
    expect(viewOn(denied, { lineages: due }).differences).toEqual(['current.reconcile_required']);
    const agreed = { ...GOING_ON, current: { ...CURRENT, reconcile_required: true } };
    expect(viewOn(agreed, { lineages: due }).differences).toEqual([]);
  });

  it('name what is said of a held lineage, and of one that is not named', () => {
    const said = { lineage: { compatible: true, resumable: true } };
    const onHeld = { ...GOING_ON, ownedFiles: ['x'], routing: said };
    expect(viewOn(onHeld, { lineages: [held('one')] }).differences).toEqual(['lineage.resumable']);
    expect(viewOn({ ...READER, routing: said }).differences).toEqual([
      'lineage.compatible',
      'lineage.resumable',
    ]);
  });

  it.each([
    ['free', {}, {}, true],
    ['held', { status: 'held' }, {}, false],
    ['an independent reviewer’s', { independentReviewer: true }, {}, false],
    [
      'restricted',
      { record: sampleRecord('one', { sensitivity: 'restricted' }) },
      { sensitivity: 'restricted' },
      false,
    ],
    ['contaminated for its role', { inheritedRoles: ['builder-contaminated'] }, {}, false],
  ] as [string, Partial<Lineage>, { sensitivity?: 'restricted' }, boolean][])(
    'name what is said of going on as a hot lineage that is %s',
    (_, lineage, sensitivity, isResumable) => {
      const lineages = [lineageCalled('one', lineage)];
      const command: Delegate = {
        ...GOING_ON,
        ...sensitivity,
        ownedFiles: ['x'],
        current: { ...CURRENT, ...sensitivity },
      };
      for (const resumable of [true, false]) {
        const view = viewOn(
          { ...command, routing: { lineage: { compatible: true, resumable } } },
          { lineages },
        );
        expect(view.lineage?.state).toBe('HOT');
        expect(view.differences).toEqual(resumable === isResumable ? [] : ['lineage.resumable']);
      }
    },
  );
});
