import { MOST_OWNED_PATH_LENGTH } from '@palimpsest/contracts/registry';
import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import {
  digest,
  NOON,
  recordFacts,
  registerCommand,
  TENANT,
  WORKGROUP,
} from '../../testing/lineage-records.js';
import { decideCoordinate } from './coordinate.js';
import { timeOf } from './deciding.js';
import { decideEvict } from './evict.js';
import { decideRelease } from './hold-lineage.js';
import { MOST_RECORD_LENGTH } from './new-record.js';
import { decideRegister } from './register.js';
import { DEFAULT_LEASE_MS, MOST_LINEAGES } from './workgroup.js';
import { MOST_PATHS_LENGTH } from './writer-scope.js';

describe('a registered lineage', () => {
  it('is held, by a record whose times, lease, workgroup and phase are the registry’s', () => {
    const decided = DecidedWorkgroup.opened({ phase: '2A' });
    const outcome = decided.act(decideRegister, registerCommand('one', { leaseMs: 60_000 }));
    const record = {
      ...recordFacts('one'),
      schema: 'knowzcode.agent-lineage/v1',
      workgroup_id: WORKGROUP,
      phase: '2A',
      platform_handle: null,
      created_at: timeOf(NOON),
      last_used_at: timeOf(NOON),
      lease_expires_at: timeOf(NOON + 60_000),
    };
    expect(outcome.events).toEqual([
      {
        type: 'palimpsest.lineage.registered',
        lineageId: 'one',
        payload: {
          record,
          isWriter: false,
          ownedPaths: [],
          fence: 2,
          grant: 'fresh-capsule',
          depth: 0,
          inheritedFrom: null,
          inheritedRoles: [],
          delegationId: null,
          independentReviewer: false,
        },
      },
    ]);
    expect(outcome.answer).toEqual({
      lineage: {
        lineageId: 'one',
        workgroupId: WORKGROUP,
        status: 'held',
        isWriter: false,
        ownedPaths: [],
        lease: { fence: 2, expiresAt: timeOf(NOON + 60_000) },
        grant: 'fresh-capsule',
        depth: 0,
        reconcileRequired: false,
        record,
      },
      fence: 2,
      expiresAt: timeOf(NOON + 60_000),
      differences: [],
    });
  });

  it('has a lease of five minutes where none is asked for', () => {
    expect(DecidedWorkgroup.opened().held('one').expiresAt).toBe(timeOf(NOON + DEFAULT_LEASE_MS));
  });

  it('names what the caller said otherwise, and keeps no handle', () => {
    const record = recordFacts('one', {
      schema: 'knowzcode.agent-lineage/v1',
      workgroup_id: 'another',
      phase: '3',
      platform_handle: 'thread-handle',
      created_at: timeOf(NOON + 600_000),
      last_used_at: timeOf(NOON - 600_000),
      lease_expires_at: null,
    });
    const { differences, lineage } = DecidedWorkgroup.opened().held('one', { record });
    expect(differences).toEqual([
      'workgroup_id',
      'platform_handle',
      'phase',
      'created_at',
      'last_used_at',
      'lease_expires_at',
    ]);
    expect(JSON.stringify(lineage)).not.toContain('thread-handle');
  });

  it('differs in nothing where the caller says the same', () => {
    const record = recordFacts('one', {
      workgroup_id: WORKGROUP,
      phase: '1A',
      platform_handle: null,
      created_at: timeOf(NOON),
      lease_expires_at: timeOf(NOON + DEFAULT_LEASE_MS),
    });
    expect(DecidedWorkgroup.opened().held('one', { record }).differences).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['a field too many', { constructor: 'x' }, 'record'],
    ['an own __proto__', JSON.parse('{"__proto__":"x"}') as object, 'record'],
    ['no role', { role: '' }, 'record.role'],
    ['no effort at all', { effort: undefined }, 'record.effort'],
    ['another schema', { sensitivity: 'secret' }, 'record.sensitivity'],
    ['a hash that is none', { runtime_prefix_hash: digest('1').slice(0, -1) }, 'record.runtime_prefix_hash'],
    ['two of them, and one too many', { tools_hash: '', role: 1, more: 1 }, 'record.role'],
    ['an id that is no name', { lineage_id: 'one/two' }, 'record.lineage_id'],
    ['an id that is too long', { lineage_id: 'a'.repeat(129) }, 'record.lineage_id'],
    ['an id that is no text', { lineage_id: 1 }, 'record.lineage_id'],
    ['a resumed one', { mode: 'resume' }, 'record.mode'],
    ['one that inherits', { mode: 'inherit-full' }, 'record.mode'],
    ['one that inherits the recent', { mode: 'inherit-recent' }, 'record.mode'],
    ['no mode that is known', { mode: 'fresh' }, 'record.mode'],
  ])('is refused with %s', (_, changes, field) => {
    const given = Object.entries({ ...recordFacts('one'), ...changes }).filter(
      ([, value]) => value !== undefined,
    );
    const record = Object.fromEntries(given) as never;
    const outcome = DecidedWorkgroup.opened().act(decideRegister, registerCommand('one', { record }));
    expect(refusalOf(outcome)).toEqual({ code: 'validation_error', details: { field, rule: 'custom' } });
    expect(outcome.events).toEqual([]);
  });

  it.each(['local', 'fresh-capsule', 'coordinated-team'])('may be %s', (mode) => {
    const { lineage } = DecidedWorkgroup.opened().held('one', { record: recordFacts('one', { mode }) });
    expect(lineage).toMatchObject({ grant: mode, record: { mode } });
  });

  it.each([-1, 0, 1])('has a record of some length: %i beyond the most', (beyond) => {
    const decided = DecidedWorkgroup.opened();
    const empty = decided.held('one', { record: recordFacts('one', { scope: '-' }) }).lineage.record;
    const room = MOST_RECORD_LENGTH - JSON.stringify(empty).length + 1;
    const record = recordFacts('two', { scope: 'x'.repeat(room + beyond) });
    const outcome = decided.act(decideRegister, registerCommand('two', { record }));
    expect(refusalOf(outcome)).toEqual(
      beyond > 0 ? { code: 'validation_error', details: { field: 'record', rule: 'too_big' } } : {},
    );
    expect(outcome.answer === undefined).toBe(beyond > 0);
  });

  it.each([
    ['held', () => undefined],
    [
      'idle',
      (decided: DecidedWorkgroup) =>
        decided.give(decideRelease, { tenantId: TENANT, lineageId: 'one', fence: 2 }),
    ],
    [
      'evicted',
      (decided: DecidedWorkgroup) =>
        decided.give(decideEvict, { tenantId: TENANT, lineageId: 'one', reason: 'INCOMPATIBLE' }),
    ],
  ])('has an id that is given once: one that is %s', (_, then) => {
    const decided = DecidedWorkgroup.opened();
    decided.held('one');
    then(decided);
    const outcome = decided.act(decideRegister, registerCommand('one'));
    expect(refusalOf(outcome)).toEqual({ code: 'lineage_exists', details: { lineageId: 'one' } });
    expect(outcome.events).toEqual([]);
  });

  it('opens no workgroup', () => {
    const outcome = new DecidedWorkgroup().act(decideRegister, registerCommand('one'));
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { workgroupId: WORKGROUP } });
    expect(outcome.events).toEqual([]);
  });

  it('takes the next fence of the workgroup, of whatever was granted', () => {
    const decided = DecidedWorkgroup.opened();
    expect(decided.held('one').fence).toBe(2);
    decided.give(decideCoordinate, { tenantId: TENANT, workgroupId: WORKGROUP, takeOver: true });
    expect(decided.held('two').fence).toBe(4);
  });
});

describe('a writer', () => {
  it.each<[string, object, boolean]>([
    ['by its word', { isWriter: true, ownedFiles: ['src'] }, true],
    ['by its paths', { ownedFiles: ['src'] }, true],
    ['by its paths, whatever it says', { isWriter: false, ownedFiles: ['src'] }, true],
    ['by nothing', { isWriter: false }, false],
    ['by nothing, with an empty list', { ownedFiles: [] }, false],
  ])('is one %s', (_, changes, isWriter) => {
    const { lineage } = DecidedWorkgroup.opened().held('one', changes);
    expect(lineage).toMatchObject({ isWriter, ownedPaths: isWriter ? ['src'] : [] });
  });

  it.each([
    ['builder', true],
    ['Api-Builder', true],
    ['spec_writer', true],
    ['shipbuilder', false],
    ['lead builder', false],
  ])('has to own paths where its role writes: %s', (role, isWriter) => {
    const outcome = DecidedWorkgroup.opened().act(
      decideRegister,
      registerCommand('one', { record: recordFacts('one', { role }) }),
    );
    const refusal = { code: 'context_refused', details: { contractCode: 'WRITER_SCOPE_REQUIRED' } };
    expect(refusalOf(outcome)).toEqual(isWriter ? refusal : {});
  });

  it('has to own paths where it says that it writes', () => {
    const outcome = DecidedWorkgroup.opened().act(decideRegister, registerCommand('one', { isWriter: true }));
    expect(refusalOf(outcome)).toMatchObject({ details: { contractCode: 'WRITER_SCOPE_REQUIRED' } });
  });

  it.each(['', ' src', '/src', 'src/../x', 'C:/x', 'https://x', '\\\\host\\x', 'a\u0000'])(
    'owns no such path: %j',
    (path) => {
      const command = registerCommand('one', { ownedFiles: ['src', path] });
      const outcome = DecidedWorkgroup.opened().act(decideRegister, command);
      const details = { contractCode: 'INVALID_OWNERSHIP_PATH' };
      expect(refusalOf(outcome)).toEqual({ code: 'context_refused', details });
      expect(outcome.events).toEqual([]);
    },
  );

  it('owns paths in their canonical form, each once; the root is shown as it may be asked for', () => {
    const decided = DecidedWorkgroup.opened();
    const ownedFiles = ['SRC\\A.ts', './src//a.ts', 'Ｄocs/'];
    expect(decided.held('one', { ownedFiles }).lineage.ownedPaths).toEqual(['src/a.ts', 'docs']);
    const other = DecidedWorkgroup.opened();
    expect(other.held('one', { ownedFiles: ['.'] }).lineage.ownedPaths).toEqual(['.']);
    expect(other.lineage('one')?.ownedPaths).toEqual(['']);
  });

  it.each([-1, 0, 1])('owns paths of some length: %i beyond the most', (beyond) => {
    const long = Array.from({ length: 31 }, (_, place) =>
      `${place + 10}`.padEnd(MOST_OWNED_PATH_LENGTH, 'x'),
    );
    const last = 'x'.repeat(MOST_PATHS_LENGTH - 31 * MOST_OWNED_PATH_LENGTH - 1 + beyond);
    const command = registerCommand('one', { ownedFiles: ['a', last, ...long] });
    const refusal = { code: 'validation_error', details: { field: 'ownedFiles' } };
    const outcome = DecidedWorkgroup.opened().act(decideRegister, command);
    expect(refusalOf(outcome)).toMatchObject(beyond > 0 ? refusal : {});
    expect(outcome.answer === undefined).toBe(beyond > 0);
  });

  it.each([-1, 0, 1])('owns paths of some length each: %i beyond the most', (beyond) => {
    const command = registerCommand('one', {
      ownedFiles: ['a', 'x'.repeat(MOST_OWNED_PATH_LENGTH + beyond)],
    });
    const refusal = { code: 'validation_error', details: { field: 'ownedFiles' } };
    const outcome = DecidedWorkgroup.opened().act(decideRegister, command);
    expect(refusalOf(outcome)).toMatchObject(beyond > 0 ? refusal : {});
    expect(outcome.answer === undefined).toBe(beyond > 0);
  });

  it.each([
    ['the same', 'apps/a', true],
    ['what lies in it', 'Apps/A/x.ts', true],
    ['what contains it', 'apps', true],
    ['the root', '.', true],
    ['a neighbour', 'apps/ab', false],
    ['a pattern, which is a name', 'apps/*', false],
  ])('does not own what another one does: %s', (_, path, conflicts) => {
    const decided = DecidedWorkgroup.opened();
    decided.held('holder', { ownedFiles: ['docs', 'apps/a'] });
    const outcome = decided.act(decideRegister, registerCommand('one', { ownedFiles: ['libs', path] }));
    const refusal = { code: 'writer_scope_conflict', details: { lineageId: 'holder' } };
    expect(refusalOf(outcome)).toEqual(conflicts ? refusal : {});
  });

  it('owns what it owns while it is held', () => {
    const decided = DecidedWorkgroup.opened();
    decided.idle('holder', { ownedFiles: ['apps/a'] });
    expect(decided.held('one', { ownedFiles: ['apps/a'] }).lineage.ownedPaths).toEqual(['apps/a']);
  });

  it.each([
    [-1, true],
    [0, false],
    [1, false],
  ])('owns it until its lease is over: %i ms', (beyond, conflicts) => {
    const decided = DecidedWorkgroup.opened();
    decided.held('holder', { ownedFiles: ['apps/a'] });
    decided.now += DEFAULT_LEASE_MS + beyond;
    const outcome = decided.act(decideRegister, registerCommand('one', { ownedFiles: ['apps/a'] }));
    expect(refusalOf(outcome).code).toBe(conflicts ? 'writer_scope_conflict' : undefined);
    expect(namesOf(outcome)).toEqual(conflicts ? [] : ['lineage.evicted', 'lineage.registered']);
  });
});

describe('a parent', () => {
  function nested(depth: number): DecidedWorkgroup {
    const decided = DecidedWorkgroup.opened();
    decided.held('depth-0');
    for (let level = 1; level <= depth; level += 1) {
      const parent = { parent_lineage_id: `depth-${level - 1}` };
      decided.held(`depth-${level}`, { record: recordFacts(`depth-${level}`, parent) });
    }
    return decided;
  }

  const under = (parent: string) =>
    registerCommand('child', { record: recordFacts('child', { parent_lineage_id: parent }) });

  it.each([
    [0, 1],
    [1, 2],
    [2, undefined],
  ])('of depth %i has children of depth %p', (depth, expected) => {
    const outcome = nested(depth).act(decideRegister, under(`depth-${depth}`));
    const details = { lineageId: `depth-${depth}`, limit: 2 };
    expect(outcome.answer?.lineage.depth).toBe(expected);
    expect(refusalOf(outcome)).toEqual(expected === undefined ? { code: 'nesting_limit', details } : {});
  });

  it('is of the workgroup', () => {
    const outcome = DecidedWorkgroup.opened().act(decideRegister, under('stranger'));
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { lineageId: 'stranger' } });
  });

  it('is there yet', () => {
    const decided = nested(0);
    decided.give(decideEvict, { tenantId: TENANT, lineageId: 'depth-0', reason: 'INCOMPATIBLE' });
    const details = { lineageId: 'depth-0', reason: 'INCOMPATIBLE' };
    expect(refusalOf(decided.act(decideRegister, under('depth-0')))).toEqual({
      code: 'lineage_evicted',
      details,
    });
  });

  it('hands on nothing by being one', () => {
    const [registered] = nested(0).act(decideRegister, under('depth-0')).events;
    expect(registered).toMatchObject({ payload: { inheritedFrom: null, depth: 1 } });
  });
});

describe('a full workgroup', () => {
  function filled(count: number, idle: readonly number[]): DecidedWorkgroup {
    const decided = DecidedWorkgroup.opened();
    for (let place = 1; place <= count; place += 1) {
      decided.now += 1;
      decided.held(`lineage-${place}`);
    }
    for (const place of idle) {
      decided.now += 1;
      decided.give(decideRelease, { tenantId: TENANT, lineageId: `lineage-${place}`, fence: place + 1 });
    }
    return decided;
  }

  it.each([
    [MOST_LINEAGES - 2, {}],
    [MOST_LINEAGES - 1, {}],
    [MOST_LINEAGES, { code: 'workgroup_full', details: { workgroupId: WORKGROUP, limit: MOST_LINEAGES } }],
  ])('of %i lineages that work takes one more or not', (count, refusal) => {
    const outcome = filled(count, []).act(decideRegister, registerCommand('more'));
    expect(refusalOf(outcome)).toEqual(refusal);
    expect(namesOf(outcome)).toEqual('code' in refusal ? [] : ['lineage.registered']);
  });

  it('gives the place of whoever is idle for longest', () => {
    const decided = filled(MOST_LINEAGES, [40, 7, 90]);
    const outcome = decided.act(decideRegister, registerCommand('more'));
    expect(namesOf(outcome)).toEqual(['lineage.evicted', 'lineage.registered']);
    expect(outcome.events).toMatchObject([
      { lineageId: 'lineage-40', payload: { reason: 'CAPACITY_PRESSURE' } },
      {},
    ]);
    expect(outcome.answer?.lineage.status).toBe('held');
  });

  it('does not give the parent’s place', () => {
    const decided = filled(MOST_LINEAGES, [40]);
    const record = recordFacts('more', { parent_lineage_id: 'lineage-40' });
    const outcome = decided.act(decideRegister, registerCommand('more', { record }));
    expect(refusalOf(outcome)).toMatchObject({ code: 'workgroup_full' });
  });

  it('has room once leases are over', () => {
    const decided = filled(MOST_LINEAGES, []);
    decided.now = NOON + 1 + DEFAULT_LEASE_MS;
    const outcome = decided.act(decideRegister, registerCommand('more'));
    expect(outcome.events).toMatchObject([
      { lineageId: 'lineage-1', payload: { reason: 'LEASE_EXPIRED' } },
      {},
    ]);
  });
});
