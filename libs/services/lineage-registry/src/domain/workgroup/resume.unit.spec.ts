import type { Facts } from '@palimpsest/context-efficiency';
import { DecidedWorkgroup, namesOf, refusalOf } from '../../testing/decided-workgroup.js';
import {
  currentFacts,
  digest,
  NOON,
  recordFacts,
  resumeCommand,
  TENANT,
  WORKGROUP,
} from '../../testing/lineage-records.js';
import { decideAdvancePhase } from './coordinate.js';
import { timeOf } from './deciding.js';
import { decideEvict } from './evict.js';
import { decideReconcile } from './reconcile.js';
import { decideResume } from './resume.js';
import { DEFAULT_LEASE_MS, DEFAULT_WARM_MS } from './workgroup.js';

/** A lineage `one` that waits; it was granted fence 2. */
function warm(changes: Parameters<DecidedWorkgroup['idle']>[1] = {}): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
  decided.idle('one', changes);
  return decided;
}

describe('a warm lineage', () => {
  it('goes on under the next fence', () => {
    const decided = warm();
    decided.now += 1000;
    const outcome = decided.act(decideResume, resumeCommand('one', { leaseMs: 60_000 }));
    const expiresAt = timeOf(NOON + 61_000);
    const payload = { fence: 3, expiresAt, isWriter: false, ownedPaths: [], differences: [] };
    expect(outcome.events).toEqual([{ type: 'palimpsest.lineage.resumed', lineageId: 'one', payload }]);
    expect(outcome.answer).toMatchObject({
      fence: 3,
      expiresAt,
      differences: [],
      lineage: {
        status: 'held',
        lease: { fence: 3, expiresAt },
        grant: 'resume',
        record: {
          mode: 'resume',
          created_at: timeOf(NOON),
          last_used_at: timeOf(NOON + 1000),
          lease_expires_at: expiresAt,
        },
      },
    });
  });

  it('has a lease of five minutes where none is asked for', () => {
    expect(warm().give(decideResume, resumeCommand('one')).expiresAt).toBe(timeOf(NOON + DEFAULT_LEASE_MS));
  });

  it.each([
    [-1, 'held', ['lineage.resumed']],
    [0, 'evicted', ['lineage.evicted', 'lineage.refused']],
    [1, 'evicted', ['lineage.evicted', 'lineage.refused']],
  ])('is warm for its time: %i ms', (beyond, status, names) => {
    const decided = warm();
    decided.now += DEFAULT_WARM_MS + beyond;
    const outcome = decided.act(decideResume, resumeCommand('one'));
    expect(namesOf(outcome)).toEqual(names);
    expect(decided.lineage('one')?.status).toBe(status);
    const details = { lineageId: 'one', reason: 'LEASE_EXPIRED' };
    expect(refusalOf(outcome)).toEqual(status === 'held' ? {} : { code: 'lineage_evicted', details });
  });

  it('needs no word of the caller’s on the workgroup and its phase', () => {
    const { phase: _phase, workgroup_id: _workgroup, ...current } = currentFacts();
    expect(warm().give(decideResume, resumeCommand('one', { current })).differences).toEqual([]);
  });

  it('is judged by the recorded workgroup, phase and record, and says what the caller said otherwise', () => {
    const decided = warm();
    const current = currentFacts({ phase: '3', workgroup_id: 'another' });
    const record = { ...decided.lineage('one')?.record, role: 'reviewer', lease_expires_at: null, more: 'x' };
    const outcome = decided.act(decideResume, resumeCommand('one', { current, record }));
    const differences = ['current.workgroup_id', 'current.phase', 'record.role', 'record.lease_expires_at'];
    expect(outcome.answer?.differences).toEqual(differences);
    expect(outcome.events).toMatchObject([{ payload: { differences } }]);
  });

  it('differs in nothing from its copy', () => {
    const decided = warm();
    const record = { ...decided.lineage('one')?.record };
    expect(decided.give(decideResume, resumeCommand('one', { record })).differences).toEqual([]);
  });
});

describe('a lineage that is not hot', () => {
  type Case = [string, Facts, { state: string; invalidations: string[]; evicted?: string }];

  it.each<Case>([
    [
      'a final gate that only the caller knows of',
      { final_gate: true },
      { state: 'INVALID', invalidations: ['FINAL_GATE'] },
    ],
    [
      'sensitivity',
      { sensitivity: 'restricted' },
      { state: 'INVALID', invalidations: ['SENSITIVITY_MISMATCH'], evicted: 'SENSITIVITY_TRANSITION' },
    ],
    [
      'sensitivity beside others',
      { sensitivity: 'restricted', model: 'other' },
      {
        state: 'INVALID',
        invalidations: ['MODEL_MISMATCH', 'SENSITIVITY_MISMATCH'],
        evicted: 'SENSITIVITY_TRANSITION',
      },
    ],
    ...(
      [
        ['fix_loop_id', 'FIX_LOOP_MISMATCH'],
        ['spec_hash', 'SPEC_MISMATCH'],
        ['scope_hash', 'SCOPE_MISMATCH'],
        ['checkpoint_sha', 'CHECKPOINT_MISMATCH'],
        ['model', 'MODEL_MISMATCH'],
        ['effort', 'EFFORT_MISMATCH'],
        ['runtime_prefix_hash', 'RUNTIME_PREFIX_MISMATCH'],
        ['baseline_hash', 'BASELINE_MISMATCH'],
        ['tools_hash', 'TOOLS_MISMATCH'],
        ['permissions_hash', 'PERMISSIONS_MISMATCH'],
      ] as const
    ).map<Case>(([field, code]) => [
      field,
      { [field]: 'other' },
      { state: 'INVALID', invalidations: [code], evicted: 'INCOMPATIBLE' },
    ]),
    [
      'a complete scope',
      { scope_complete: true },
      { state: 'COLD_VALID', invalidations: [], evicted: 'NO_LIKELY_CONTINUATION' },
    ],
    ['another role', { role: 'reviewer' }, { state: 'INVALID', invalidations: ['ROLE_MISMATCH'] }],
    ['another platform', { platform: 'codex' }, { state: 'INVALID', invalidations: ['PLATFORM_MISMATCH'] }],
    [
      'another role with another work',
      { role: 'reviewer', spec_hash: 'other', sensitivity: 'isolated' },
      { state: 'INVALID', invalidations: ['ROLE_MISMATCH', 'SPEC_MISMATCH', 'SENSITIVITY_MISMATCH'] },
    ],
    [
      'another capsule',
      { capsule_hash: digest('9') },
      { state: 'RECONCILE_REQUIRED', invalidations: ['RECONCILIATION_REQUIRED'] },
    ],
    [
      'a reconciliation that the caller wants',
      { reconcile_required: true },
      { state: 'RECONCILE_REQUIRED', invalidations: ['RECONCILIATION_REQUIRED'] },
    ],
  ])('is refused, and leaves where that is about it: %s', (_, changes, { evicted, ...verdict }) => {
    const decided = warm();
    const outcome = decided.act(decideResume, resumeCommand('one', { current: currentFacts(changes) }));
    const details = { lineageId: 'one', ...verdict, ...(evicted && { evicted }) };
    expect(refusalOf(outcome)).toEqual({ code: 'resume_refused', details });
    const consequence = evicted ? ['lineage.evicted'] : [];
    const due = verdict.state === 'RECONCILE_REQUIRED' ? ['lineage.reconcile_required'] : [];
    expect(namesOf(outcome)).toEqual(['lineage.refused', ...consequence, ...due]);
    expect(outcome.events[0]).toEqual({
      type: 'palimpsest.lineage.refused',
      lineageId: 'one',
      payload: { wanted: 'resume', code: 'resume_refused', ...verdict },
    });
    expect(decided.lineage('one')).toMatchObject({
      status: evicted ? 'evicted' : 'idle',
      eviction: evicted ?? null,
      reconcileRequired: due.length > 0,
    });
  });

  it('goes on where its scope is complete and something likely follows', () => {
    const current = currentFacts({ scope_complete: true, likely_continuation: true });
    expect(warm().give(decideResume, resumeCommand('one', { current })).fence).toBe(3);
  });

  it.each(Object.keys(currentFacts()))(
    'stays where a fact is missing, unless it is the registry’s: %s',
    (missing) => {
      const current = Object.fromEntries(Object.entries(currentFacts()).filter(([name]) => name !== missing));
      const decided = warm();
      const outcome = decided.act(decideResume, resumeCommand('one', { current }));
      const isRecorded = missing === 'phase' || missing === 'workgroup_id';
      expect(refusalOf(outcome).code).toBe(isRecorded ? undefined : 'resume_refused');
      expect(decided.lineage('one')?.status).toBe(isRecorded ? 'held' : 'idle');
      const verdict = { state: 'INVALID', invalidations: ['UNKNOWN_PROVENANCE'] };
      expect(outcome.refusal?.details ?? {}).toMatchObject(isRecorded ? {} : verdict);
    },
  );

  it('leaves once the workgroup is in another phase', () => {
    const decided = warm();
    decided.give(decideAdvancePhase, { tenantId: TENANT, workgroupId: WORKGROUP, fence: 1, phase: '1B' });
    const outcome = decided.act(decideResume, resumeCommand('one'));
    const details = {
      lineageId: 'one',
      state: 'INVALID',
      invalidations: ['PHASE_MISMATCH'],
      evicted: 'INCOMPATIBLE',
    };
    expect(refusalOf(outcome)).toEqual({ code: 'resume_refused', details });
  });

  it('leaves where it was never to be resumed', () => {
    const decided = warm({ record: recordFacts('one', { resumable: false }) });
    const outcome = decided.act(decideResume, resumeCommand('one'));
    const details = { invalidations: ['NON_RESUMABLE'], evicted: 'INCOMPATIBLE' };
    expect(refusalOf(outcome)).toMatchObject({ code: 'resume_refused', details });
  });

  it('stays with its builder where an independent reviewer asks', () => {
    const record = recordFacts('one', { role: 'builder' });
    const decided = warm({ record, ownedFiles: ['src'] });
    const current = currentFacts({ role: 'reviewer', independent_reviewer: true });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    const invalidations = ['REVIEW_LINEAGE_CONTAMINATION', 'ROLE_MISMATCH'];
    expect(refusalOf(outcome)).toEqual({
      code: 'resume_refused',
      details: { lineageId: 'one', state: 'INVALID', invalidations },
    });
    expect(decided.lineage('one')?.status).toBe('idle');
  });

  it('is a reviewer’s own for its audit again', () => {
    const decided = warm({ record: recordFacts('one', { role: 'reviewer' }) });
    const current = currentFacts({ role: 'reviewer', independent_reviewer: true });
    expect(decided.give(decideResume, resumeCommand('one', { current })).fence).toBe(3);
  });

  it('is nobody’s where its role says that it is contaminated', () => {
    const role = 'builder-contaminated';
    const decided = warm({ record: recordFacts('one', { role }), ownedFiles: ['src'] });
    const outcome = decided.act(decideResume, resumeCommand('one', { current: currentFacts({ role }) }));
    expect(refusalOf(outcome)).toMatchObject({
      code: 'resume_refused',
      details: { invalidations: ['REVIEW_LINEAGE_CONTAMINATION'] },
    });
    expect(decided.lineage('one')?.status).toBe('idle');
  });
});

describe('a reconciliation that is due', () => {
  const stale = resumeCommand('one', { current: currentFacts({ capsule_hash: digest('9') }) });

  it('stays due, whatever the next caller says, and is recorded once', () => {
    const decided = warm();
    decided.act(decideResume, stale);
    const current = currentFacts({ reconcile_required: false });
    const outcome = decided.act(decideResume, resumeCommand('one', { current }));
    expect(refusalOf(outcome)).toMatchObject({
      code: 'resume_refused',
      details: { state: 'RECONCILE_REQUIRED' },
    });
    expect(namesOf(outcome)).toEqual(['lineage.refused']);
  });

  it('is done by the capsule that the next caller has', () => {
    const decided = warm();
    decided.act(decideResume, stale);
    const capsule = { tenantId: TENANT, lineageId: 'one', capsuleHash: digest('9') };
    decided.give(decideReconcile(true), capsule);
    expect(decided.give(decideResume, stale).lineage).toMatchObject({
      status: 'held',
      reconcileRequired: false,
    });
  });
});

describe('a lineage that cannot be resumed', () => {
  it('is held', () => {
    const decided = DecidedWorkgroup.opened();
    decided.held('one');
    const outcome = decided.act(decideResume, resumeCommand('one'));
    expect(refusalOf(outcome)).toEqual({ code: 'lineage_held', details: { lineageId: 'one' } });
    const payload = { wanted: 'resume', code: 'lineage_held', state: null, invalidations: [] };
    expect(outcome.events).toEqual([{ type: 'palimpsest.lineage.refused', lineageId: 'one', payload }]);
  });

  it('is evicted', () => {
    const decided = warm();
    decided.give(decideEvict, { tenantId: TENANT, lineageId: 'one', reason: 'CAPACITY_PRESSURE' });
    const outcome = decided.act(decideResume, resumeCommand('one'));
    const details = { lineageId: 'one', reason: 'CAPACITY_PRESSURE' };
    expect(refusalOf(outcome)).toEqual({ code: 'lineage_evicted', details });
    expect(outcome.events).toMatchObject([{ payload: { code: 'lineage_evicted', state: null } }]);
  });

  it('is unknown', () => {
    const outcome = DecidedWorkgroup.opened().act(decideResume, resumeCommand('one'));
    expect(refusalOf(outcome)).toEqual({ code: 'not_found', details: { lineageId: 'one' } });
    expect(outcome.events).toEqual([]);
  });
});

describe('a writer that goes on', () => {
  it('owns what it owned', () => {
    const { lineage } = warm({ ownedFiles: ['Src'] }).give(decideResume, resumeCommand('one'));
    expect(lineage).toMatchObject({ isWriter: true, ownedPaths: ['src'] });
  });

  it('owns what it asks for instead', () => {
    const command = resumeCommand('one', { ownedFiles: ['docs'] });
    expect(warm({ ownedFiles: ['src'] }).give(decideResume, command).lineage.ownedPaths).toEqual(['docs']);
  });

  it.each([
    ['less', ['src'], ['ownedFiles']],
    ['more', ['src', 'docs', 'libs'], ['ownedFiles']],
    ['others', ['src', 'libs'], ['ownedFiles']],
    ['the same in other words', ['./Docs/', 'src'], []],
    ['the same, one of them twice', ['src', 'docs', 'SRC'], []],
    ['nothing', undefined, []],
  ])('is told where it asks for others than it had: %s', (_, ownedFiles, differences) => {
    const decided = warm({ ownedFiles: ['src', 'docs'] });
    const outcome = decided.act(decideResume, resumeCommand('one', ownedFiles && { ownedFiles }));
    expect(outcome.answer?.differences).toEqual(differences);
    expect(outcome.events).toMatchObject([{ payload: { differences } }]);
  });

  it('may have been none', () => {
    const command = resumeCommand('one', { ownedFiles: ['docs'] });
    expect(warm().give(decideResume, command).lineage).toMatchObject({
      isWriter: true,
      ownedPaths: ['docs'],
    });
  });

  it.each([
    ['nothing', [], 'WRITER_SCOPE_REQUIRED'],
    ['a path that is none', ['../x'], 'INVALID_OWNERSHIP_PATH'],
  ])('does not own %s', (_, ownedFiles, contractCode) => {
    const outcome = warm({ ownedFiles: ['src'] }).act(decideResume, resumeCommand('one', { ownedFiles }));
    expect(refusalOf(outcome)).toEqual({ code: 'context_refused', details: { contractCode } });
    expect(outcome.events).toEqual([]);
  });

  it('does not own what another one does now', () => {
    const decided = warm({ ownedFiles: ['src/a'] });
    decided.held('holder', { ownedFiles: ['src'] });
    const outcome = decided.act(decideResume, resumeCommand('one'));
    expect(refusalOf(outcome)).toEqual({ code: 'writer_scope_conflict', details: { lineageId: 'holder' } });
    const payload = { wanted: 'resume', code: 'writer_scope_conflict', state: 'HOT', invalidations: [] };
    expect(outcome.events).toEqual([{ type: 'palimpsest.lineage.refused', lineageId: 'one', payload }]);
    expect(decided.lineage('one')?.status).toBe('idle');
  });

  it.each([
    [0, undefined],
    [1, undefined],
    [2, 'inherited_writer_limit'],
  ])('beside %i others that do', (others, code) => {
    const decided = warm({ ownedFiles: ['one'] });
    for (let place = 0; place < others; place += 1) {
      decided.idle(`writer-${place}`, { ownedFiles: [`writer-${place}`] });
      decided.give(decideResume, resumeCommand(`writer-${place}`));
    }
    decided.held('fresh', { ownedFiles: ['fresh'] });
    const outcome = decided.act(decideResume, resumeCommand('one'));
    expect(refusalOf(outcome).code).toBe(code);
    expect(namesOf(outcome)).toEqual([code ? 'lineage.refused' : 'lineage.resumed']);
  });

  it('beside readers that do', () => {
    const decided = warm({ ownedFiles: ['one'] });
    for (const reader of ['reader-1', 'reader-2', 'reader-3']) {
      decided.idle(reader);
      decided.give(decideResume, resumeCommand(reader));
    }
    expect(decided.give(decideResume, resumeCommand('one')).lineage.isWriter).toBe(true);
  });
});
