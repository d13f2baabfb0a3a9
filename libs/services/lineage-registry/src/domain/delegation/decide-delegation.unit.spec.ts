import { canaryBucket, recordEvent } from '@palimpsest/context-efficiency';
import { delegationViewSchema, type Delegate, type DelegationView } from '@palimpsest/contracts/registry';
import { TerminalError } from '@palimpsest/kernel';
import fc from 'fast-check';
import {
  decisionOn,
  FRESH,
  held,
  INHERITANCE,
  refusalOn,
  routeOn,
  viewOn,
  type DelegationCase,
} from '../../testing/decided-delegations.js';
import {
  CURRENT,
  GOING_ON,
  lineageCalled,
  NOW,
  READER,
  rolloutAt,
  WRITER,
} from '../../testing/delegations.js';
import { sampleRecord } from '../../testing/sample-events.js';
import type { Decision } from '../workgroup/decision.js';
import type { RolloutStanding } from '../rollout/rollout.js';
import { closedWorkgroup, type Lineage } from '../workgroup/workgroup.js';

const CONFLICT = 'local WRITER_OWNERSHIP_CONFLICT';
const RESUME = 'resume RESUME_COMPATIBLE';

describe('a delegation is recorded', () => {
  it('with everything that was stated and decided, at its place and time', () => {
    const decision = decisionOn(
      {
        ...GOING_ON,
        ownedFiles: ['Src\\One/', 'src/one', '.'],
        expectedReuse: 'high',
        resultPolicy: { material: true },
      },
      { lineages: [lineageCalled('one')] },
    );
    const payload = {
      delegationId: `dlg_${'0a'.repeat(16)}`,
      taskId: 'T-1',
      nodeId: 'Index',
      phase: '2A',
      role: 'builder',
      ownedPaths: ['src/one', '.'],
      dependenciesReady: true,
      coupling: 'independent',
      sensitivity: 'normal',
      independentReviewer: false,
      expectedReuse: 'high',
      compatibleLineage: 'one',
      lineage: { state: 'HOT', invalidations: [] },
      mode: 'resume',
      reasonCodes: ['RESUME_COMPATIBLE'],
      selectedMode: 'resume',
      rollout: {
        environment: 'staging',
        family: 'lineage-reuse',
        stage: 'on',
        executeRecommendation: true,
        canaryBucket: null,
      },
      resultMode: 'durable',
      differences: [],
    };
    expect(decision.events).toEqual([{ type: 'palimpsest.delegation.recorded', payload }]);
    const place = { workgroupId: 'wg', sequence: 5, recordedAt: '2031-03-10T12:00:00.000Z' };
    expect(decision).toMatchObject({ answer: { ...payload, ...place } });
  });

  it('with who delegates, where a lineage does', () => {
    const lineages = [held('one')];
    expect(viewOn({ ...READER, parentLineageId: 'one' }, { lineages })).toMatchObject({
      parentLineageId: 'one',
    });
    expect(viewOn(READER, { lineages })).not.toHaveProperty('parentLineageId');
  });

  it('after what has expired by then, which counts no longer', () => {
    const record = sampleRecord('one', { lease_expires_at: new Date(NOW).toISOString() });
    const lineages = [held('one', { record, ownedPaths: ['src/new'] })];
    const decision = decisionOn(WRITER, { lineages });
    expect(decision.events.map(({ type }) => type)).toEqual([
      'palimpsest.lineage.evicted',
      'palimpsest.delegation.recorded',
    ]);
    expect(decision).toMatchObject({ answer: { mode: 'fresh-capsule', sequence: 6 } });
    const still = sampleRecord('one', { lease_expires_at: new Date(NOW + 1).toISOString() });
    expect(routeOn(WRITER, held('one', { record: still, ownedPaths: ['src/new'] }))).toBe(CONFLICT);
  });

  it.each([
    ['a workgroup that nobody opened', READER, 'workgroupId', 'wg', { workgroup: closedWorkgroup('wg') }],
    ['an unknown lineage', { ...READER, lineageId: 'two' }, 'lineageId', 'two', {}],
    ['an unknown parent', { ...READER, parentLineageId: 'two' }, 'lineageId', 'two', {}],
  ] as [string, Delegate, string, string, DelegationCase][])(
    'not for %s',
    (_, ...[command, name, id, given]) => {
      expect(refusalOn(command, given)).toEqual(['not_found', { [name]: id }]);
    },
  );
});

describe('the state of the workgroup counts, not the word of the caller', () => {
  it.each([
    ['nobody writes', {}, [], FRESH],
    ['nobody writes, though the caller says so', { active_writers: [{ owned_files: ['src'] }] }, [], FRESH],
    ['a writer writes above', {}, [held('a', { ownedPaths: ['src'] })], CONFLICT],
    ['a writer writes below', {}, [held('a', { ownedPaths: ['src/new/x'] })], CONFLICT],
    ['though the caller says no', { active_writers: [] }, [held('a', { ownedPaths: ['src/new'] })], CONFLICT],
    ['of the root', {}, [held('a', { ownedPaths: [''] })], CONFLICT],
    ['beside it', {}, [held('a', { ownedPaths: ['src/news'] })], FRESH],
    ['an idle one writes nothing', {}, [lineageCalled('a', { ownedPaths: ['src/new'] })], FRESH],
    ['a reader owns nothing', {}, [held('a', { isWriter: false, ownedPaths: [] })], FRESH],
    // Its canonical form has a colon, which no path may have.
    ['a path that cannot be read again', {}, [held('a', { ownedPaths: ['a:b'] })], FRESH],
  ] as [string, object, Lineage[], string][])('writers: %s', (_, routing, lineages, route) => {
    expect(routeOn({ ...WRITER, routing: routing as Delegate['routing'] }, ...lineages)).toBe(route);
  });

  it('a path that cannot be read again is compared as it is recorded', () => {
    expect(routeOn({ ...WRITER, ownedFiles: ['x/a：b'] }, held('a', { ownedPaths: ['x/a:b'] }))).toBe(
      CONFLICT,
    );
  });

  it.each([
    ['none', [], RESUME],
    ['one', [held('a', { grant: 'resume' })], RESUME],
    ['two', [held('a', { grant: 'resume' }), held('b', { grant: 'inherit-full' })], 'full'],
    [
      'three',
      [
        held('a', { grant: 'inherit-recent' }),
        held('b', { grant: 'inherit-full' }),
        held('c', { grant: 'resume' }),
      ],
      'full',
    ],
    ['fresh ones', [held('a'), held('b', { grant: 'local' })], RESUME],
    ['idle ones', [lineageCalled('a', { grant: 'resume' }), lineageCalled('b', { grant: 'resume' })], RESUME],
    [
      'readers',
      ['a', 'b'].map((id) => held(id, { grant: 'resume', isWriter: false, ownedPaths: [] })),
      RESUME,
    ],
  ] as [string, Lineage[], string][])('inherited writers: %s', (_, others, route) => {
    const caller = { active_inherited_writers: route === RESUME ? 99 : 0, max_active_inherited: 99 };
    const expected = route === RESUME ? RESUME : `${FRESH} CAPABILITY_FALLBACK`;
    expect(routeOn({ ...GOING_ON, routing: caller }, lineageCalled('one'), ...others)).toBe(expected);
  });

  it.each([
    [0, FRESH],
    [1, FRESH],
    [2, 'local NESTING_LIMIT'],
    [3, 'local NESTING_LIMIT'],
  ])('the depth of who delegates: %d', (depth, route) => {
    const nested = { nesting_depth: 2 - Math.min(depth, 2), max_nesting_depth: 9 };
    const command: Delegate = { ...READER, parentLineageId: 'one', routing: nested };
    expect(routeOn(command, held('one', { depth }))).toBe(route);
    expect(routeOn({ ...command, parentLineageId: undefined }, held('one', { depth }))).toBe(FRESH);
  });

  it.each([
    ['hot', {}, {}, 'HOT', [], RESUME],
    ['held: hot for its holder only', { status: 'held', isWriter: false }, {}, 'HOT', [], FRESH],
    [
      'to be reconciled',
      { reconcileRequired: true },
      {},
      'RECONCILE_REQUIRED',
      ['RECONCILIATION_REQUIRED'],
      FRESH,
    ],
    [
      'to be reconciled, the caller says not',
      { reconcileRequired: true },
      { reconcile_required: false },
      'RECONCILE_REQUIRED',
      ['RECONCILIATION_REQUIRED'],
      FRESH,
    ],
    [
      'the caller says that it is to be reconciled',
      {},
      { reconcile_required: true },
      'RECONCILE_REQUIRED',
      ['RECONCILIATION_REQUIRED'],
      FRESH,
    ],
    [
      'evicted',
      {
        status: 'evicted',
        eviction: 'CAPACITY_PRESSURE',
        record: sampleRecord('one', { lease_expires_at: null }),
      },
      {},
      'COLD_VALID',
      [],
      FRESH,
    ],
    [
      'of another phase',
      { record: sampleRecord('one', { phase: '1B' }) },
      { phase: '1B' },
      'INVALID',
      ['PHASE_MISMATCH'],
      FRESH,
    ],
    ['of another workgroup by the caller', {}, { workgroup_id: 'other' }, 'HOT', [], RESUME],
    ['with other tools', {}, { tools_hash: 'x' }, 'INVALID', ['TOOLS_MISMATCH'], FRESH],
    ['at the final gate', {}, { final_gate: true }, 'INVALID', ['FINAL_GATE'], FRESH],
  ] as [string, Partial<Lineage>, object, string, string[], string][])(
    'a named lineage: %s',
    (_, ...[change, stated, state, invalidations, route]) => {
      const current = { ...CURRENT, ...stated };
      const claims = { lineage: { compatible: true, resumable: true } };
      const command = { ...GOING_ON, ownedFiles: ['src/own'], current, routing: claims };
      const lineages = [lineageCalled('one', change)];
      expect(routeOn(command, ...lineages)).toBe(route);
      const { compatibleLineage, lineage } = viewOn(command, { lineages });
      expect(lineage).toEqual({ state, invalidations });
      expect(compatibleLineage).toBe(route === RESUME ? 'one' : null);
    },
  );

  it('a named lineage without current facts is not known well enough', () => {
    const command = { ...GOING_ON, current: undefined };
    const { lineage, mode } = viewOn(command, { lineages: [lineageCalled('one')] });
    expect([lineage, mode]).toEqual([
      { state: 'INVALID', invalidations: ['UNKNOWN_PROVENANCE'] },
      'fresh-capsule',
    ]);
  });

  it('the lineage is that of the record: a held one may be inherited from, an invalid one not', () => {
    const command = { ...GOING_ON, ownedFiles: ['src/own'], routing: { inheritance: INHERITANCE } };
    expect(routeOn(command, held('one'))).toBe('inherit-full HIGH_CONTEXT_AFFINITY');
    const invalid = { ...command, current: { ...CURRENT, model: 'other' } };
    expect(routeOn(invalid, lineageCalled('one'))).toBe(`${FRESH} CAPABILITY_FALLBACK`);
  });

  it('a lineage that is not named is not known, whatever is said of it', () => {
    const lineage = { compatible: true, resumable: true, role: 'builder', lineage_id: 'one' };
    expect(routeOn({ ...WRITER, routing: { lineage } }, lineageCalled('one'))).toBe(FRESH);
  });

  it('a contaminated lineage is hot for nobody', () => {
    const record = sampleRecord('one', { role: 'builder-contaminated' });
    const current = { ...CURRENT, role: record.role };
    const command = { ...GOING_ON, role: record.role, current };
    const view = viewOn(command, { lineages: [lineageCalled('one', { record })] });
    expect([view.mode, view.compatibleLineage, view.lineage?.state]).toEqual(['fresh-capsule', null, 'HOT']);
  });

  it('what a lineage owned it proposes again, unless the command says which paths', () => {
    const lineages = [lineageCalled('one'), held('two', { ownedPaths: ['src'] })];
    expect(viewOn(GOING_ON, { lineages })).toMatchObject({
      mode: 'local',
      reasonCodes: ['WRITER_OWNERSHIP_CONFLICT'],
      ownedPaths: ['src/one'],
    });
    expect(viewOn({ ...GOING_ON, ownedFiles: ['docs'] }, { lineages })).toMatchObject({
      mode: 'resume',
      ownedPaths: ['docs'],
    });
  });
});

describe("the command's own fields are over the further facts", () => {
  it.each([
    ['dependencies are ready', {}, {}, FRESH],
    ['dependencies are not ready', { dependenciesReady: false }, { blocking: false }, 'local BLOCKING'],
    ['blocking by the facts', {}, { blocking: true }, 'local BLOCKING'],
    ['tight', { coupling: 'tight' }, { coupling: 'independent' }, 'local LOCAL_CHEAPER'],
    ['independent', {}, { coupling: 'tight' }, FRESH],
    ['isolated', { sensitivity: 'isolated' }, { sensitivity: 'normal' }, `${FRESH} SENSITIVITY_ISOLATION`],
    ['normal', {}, { sensitivity: 'isolated' }, FRESH],
    [
      'a reviewer',
      { independentReviewer: true },
      { independent_reviewer: false },
      `${FRESH} REVIEW_INDEPENDENCE`,
    ],
    ['no reviewer', {}, { independent_reviewer: true }, FRESH],
    ['trivial by the facts', {}, { trivial: true }, 'local LOCAL_CHEAPER'],
    ['facts in an input of their own', {}, { input: { trivial: true } }, 'local LOCAL_CHEAPER'],
    [
      'an input in the input',
      {},
      { input: { trivial: true, input: { blocking: true } } },
      'local LOCAL_CHEAPER',
    ],
    ['a null input', {}, { input: null, trivial: true }, 'local LOCAL_CHEAPER'],
    ['names of prototypes', {}, JSON.parse('{"__proto__":{"trivial":true},"constructor":1}'), FRESH],
  ] as [string, Partial<Delegate>, Delegate['routing'], string][])('%s', (_, change, routing, route) => {
    expect(routeOn({ ...READER, ...change, routing })).toBe(route);
  });

  it('paths of the facts count where the command has none', () => {
    const routing = {
      owned_files: ['a'],
      resolved_owned_files: ['A/', 'b'],
      lineage: { owned_files: ['c'] },
    };
    expect(viewOn({ ...READER, routing }).ownedPaths).toEqual(['a', 'b', 'c']);
    expect(viewOn({ ...READER, routing, ownedFiles: ['d'] }).ownedPaths).toEqual(['d']);
    expect(viewOn({ ...READER, routing, ownedFiles: [] }).ownedPaths).toEqual([]);
    expect(routeOn({ ...READER, routing }, held('x', { ownedPaths: ['c/d'] }))).toBe(CONFLICT);
  });
});

describe('the rollout (§8)', () => {
  const ID = 'backend-refactor-12';
  const BUCKET = 89.92908699437976;
  const LOCAL: Delegate = { ...READER, coupling: 'tight', taskCorpusId: ID };
  const DONE = ' fresh-capsule INDEPENDENT_CAPSULE';
  const EXECUTED = ' local LOCAL_CHEAPER';
  const RECOMMENDED = ':recommended local LOCAL_CHEAPER';
  const toldOf = ({ telemetry = [] }: Decision<DelegationView>) =>
    telemetry.map(({ id, event, isRecommendation = false }) => {
      const { mode, reason_codes: reasons } = event as unknown as { mode: string; reason_codes: string[] };
      expect(isRecommendation).toBe(id.endsWith(':recommended'));
      return [id.replace(`delegation:dlg_${'0a'.repeat(16)}`, ''), mode, ...reasons].join(' ');
    });

  it.each([
    ['off', null, 'fresh-capsule', false, null, []],
    ['observe', null, 'fresh-capsule', false, null, [DONE]],
    ['shadow', null, 'fresh-capsule', false, null, [DONE, RECOMMENDED]],
    ['canary', 10, 'fresh-capsule', false, BUCKET, [DONE, RECOMMENDED]],
    ['canary', BUCKET - 1, 'fresh-capsule', false, BUCKET, [DONE, RECOMMENDED]],
    ['canary', BUCKET, 'fresh-capsule', false, BUCKET, [DONE, RECOMMENDED]],
    ['canary', BUCKET + 1, 'local', true, BUCKET, [EXECUTED, RECOMMENDED]],
    ['on', null, 'local', true, null, [EXECUTED, RECOMMENDED]],
  ] as [RolloutStanding['stage'], number | null, string, boolean, number | null, string[]][])(
    '%s at %s: %s',
    (stage, ...[percent, selected, executes, bucket, recorded]) => {
      expect(canaryBucket(ID)).toBe(BUCKET);
      const decision = decisionOn(LOCAL, { rollout: rolloutAt(stage, percent) });
      expect(decision).toMatchObject({
        answer: {
          mode: 'local',
          reasonCodes: ['LOCAL_CHEAPER'],
          selectedMode: selected,
          rollout: { stage, executeRecommendation: executes, canaryBucket: bucket },
        },
      });
      expect(toldOf(decision)).toEqual(recorded);
    },
  );

  it('what is done without a recommendation is what the caller says', () => {
    const command: Delegate = { ...LOCAL, actualMode: 'coordinated-team' };
    expect(viewOn(command, { rollout: rolloutAt('shadow') }).selectedMode).toBe('coordinated-team');
    expect(viewOn(command, { rollout: rolloutAt('on') }).selectedMode).toBe('local');
    const team = ' coordinated-team TEAM_COORDINATION_REQUIRED';
    expect(toldOf(decisionOn(command, { rollout: rolloutAt('observe') }))).toEqual([team]);
    expect(toldOf(decisionOn(command, { rollout: rolloutAt('shadow') }))).toEqual([team, RECOMMENDED]);
  });

  // sha256('acme/wg/T-1')
  const DERIVED = 'anon-e761de8115f36d1a068f3aff3bc9b97c';

  it.each([
    ['the derived one of its task', undefined, DERIVED],
    ['its own', ID, ID],
  ])('has a corpus id in every stage: %s', (_, taskCorpusId, id) => {
    const command: Delegate = { ...LOCAL, taskCorpusId };
    const canary = viewOn(command, { rollout: rolloutAt('canary', 50) });
    expect(canary.rollout.canaryBucket).toBe(canaryBucket(id));
    for (const rollout of [rolloutAt('observe'), rolloutAt('canary', 50), rolloutAt('on')]) {
      const { telemetry = [] } = decisionOn(command, { rollout });
      expect(telemetry.map(({ event }) => event['task_corpus_id'])).toEqual(telemetry.map(() => id));
      expect(telemetry.length).toBeGreaterThan(0);
    }
  });

  it.each<[keyof Delegate, string]>([
    ['tenantId', 'other'],
    ['workgroupId', 'other'],
    ['taskId', 'T-2'],
  ])('a derived corpus id is of the task: another %s has another', (name, value) => {
    const command: Delegate = { ...LOCAL, taskCorpusId: undefined, [name]: value };
    const given = { rollout: rolloutAt('canary', 50) };
    expect(viewOn(command, given).rollout.canaryBucket).not.toBe(canaryBucket(DERIVED));
    const sameTask: Delegate = { ...command, [name]: LOCAL[name], nodeId: 'Other', role: 'scout' };
    expect(viewOn(sameTask, given).rollout.canaryBucket).toBe(canaryBucket(DERIVED));
  });
});

describe('the efficiency event (§7)', () => {
  it.each([
    ['the lineage', GOING_ON, 'claude', 'resume', ['RESUME_COMPATIBLE']],
    [
      'the current facts',
      { ...READER, current: { platform: 'codex' } },
      'codex',
      'fresh-capsule',
      ['INDEPENDENT_CAPSULE'],
    ],
    [
      'nobody known',
      { ...READER, current: { platform: 'elsewhere' } },
      'other',
      'fresh-capsule',
      ['INDEPENDENT_CAPSULE'],
    ],
    ['nobody', READER, 'other', 'fresh-capsule', ['INDEPENDENT_CAPSULE']],
  ] as [string, Delegate, string, string, string[]][])(
    'by %s',
    (_, ...[command, provider, mode, reasons]) => {
      const { telemetry } = decisionOn(
        { ...command, taskCorpusId: `anon-${'0a'.repeat(8)}` },
        { lineages: [lineageCalled('one')] },
      );
      const event = recordEvent({
        event: {
          event: 'dispatch_decision',
          observed_at: '2031-03-10T12:00:00.000Z',
          task_corpus_id: `anon-${'0a'.repeat(8)}`,
          provider,
          mode,
          reason_codes: reasons,
        },
      });
      const place = { environment: 'staging', family: 'lineage-reuse', rolloutVersion: 3 };
      const id = `delegation:dlg_${'0a'.repeat(16)}`;
      expect(telemetry).toEqual([
        { ...place, id, event },
        { ...place, id: `${id}:recommended`, isRecommendation: true, event },
      ]);
    },
  );

  it('is of the platform on record, whatever the caller says', () => {
    const lineages = [lineageCalled('one', { record: sampleRecord('one', { platform: 'codex' }) })];
    const { telemetry } = decisionOn({ ...GOING_ON, ownedFiles: ['a'] }, { lineages });
    expect(telemetry?.[0]?.event['provider']).toBe('codex');
  });

  it('has nothing of the task in it', () => {
    const { telemetry } = decisionOn({ ...WRITER, taskId: 'Secret-Task', nodeId: 'Secret-Node' });
    expect(telemetry).toHaveLength(2);
    expect(JSON.stringify(telemetry)).not.toMatch(/secret|builder|src|acme|wg/i);
  });
});

describe('refusals of the contract', () => {
  it.each([
    ['WRITER_SCOPE_REQUIRED', { role: 'api-builder' }],
    ['WRITER_SCOPE_REQUIRED', { routing: { is_writer: true } }],
    ['WRITER_SCOPE_REQUIRED', { role: 'builder', ownedFiles: [], routing: { owned_files: ['a'] } }],
    ['INVALID_OWNERSHIP_PATH', { ownedFiles: ['../a'] }],
    ['INVALID_OWNERSHIP_PATH', { ownedFiles: ['C:/a'] }],
    ['INVALID_OWNERSHIP_PATH', { routing: { owned_files: 'a' } }],
    ['INVALID_OWNERSHIP_PATH', { routing: { team: { scopes: [{ owned_files: ['/a'] }] } } }],
    ['INVALID_REQUEST', { routing: { input: 5 } }],
    ['INVALID_REQUEST', { resultPolicy: { requested_mode: 'x' } }],
    ['RESULT_HANDOFF_NOT_AUTHORIZED', { resultPolicy: { writer: true, authorize_handoff: false } }],
    ['DISPATCH_FACT_MISMATCH', { lineageId: 'one', current: { ...CURRENT, role: 'builder' } }],
    ['DISPATCH_FACT_MISMATCH', { ...GOING_ON, sensitivity: 'restricted' }],
  ] as [string, Partial<Delegate>][])('%s for %j', (contractCode, change) => {
    const lineages = [lineageCalled('one')];
    const expected = ['context_refused', { contractCode }];
    expect(refusalOn({ ...READER, ...change }, { lineages })).toEqual(expected);
  });

  it('paths are as many as a lineage may own', () => {
    const names = Array.from({ length: 128 }, (_, place) => String(place).padStart(256, 'a'));
    expect(viewOn({ ...WRITER, ownedFiles: names }).ownedPaths).toHaveLength(128);
    expect(refusalOn({ ...WRITER, ownedFiles: [...names, 'b'] })).toEqual([
      'validation_error',
      { field: 'ownedFiles', rule: 'custom' },
    ]);
  });
});

describe('whatever the facts', () => {
  const words = [
    'high',
    true,
    false,
    null,
    0,
    2,
    'normal',
    'reviewer',
    ['a'],
    ['../a'],
    [{ owned_files: ['b'] }],
  ];
  const value = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...words) }, fc.jsonValue({ maxDepth: 2 }));
  const known = (names: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
    fc.dictionary(fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...names) }, fc.string()), value);
  const routing = known(
    (
      'is_writer role owned_files resolved_owned_files active_writers active_writer_scopes workspace_root ' +
      'nesting_depth max_nesting_depth active_inherited_writers max_active_inherited trivial blocking coupling ' +
      'independent_reviewer sensitivity lineage inheritance capsule_sufficient team input __proto__'
    ).split(' '),
  );
  const command = fc.record({
    routing,
    current: known([...Object.keys(CURRENT), 'final_gate', 'reconcile_required', 'constructor']).map(
      (facts) => ({
        ...CURRENT,
        ...facts,
      }),
    ),
    resultPolicy: known(['material', 'requested_mode', 'authorize_handoff', 'large_raw_output']),
    role: fc.constantFrom('builder', 'indexer', 'reviewer'),
    ownedFiles: fc.option(fc.array(fc.constantFrom('a', 'src/one', '..', 'b/c')), { nil: undefined }),
    lineageId: fc.constantFrom(undefined, 'one', 'two', 'none'),
    dependenciesReady: fc.boolean(),
    taskCorpusId: fc.constantFrom(undefined, 'backend-refactor-12'),
  });
  const stage = fc.constantFrom(
    rolloutAt('off'),
    rolloutAt('observe'),
    rolloutAt('shadow'),
    rolloutAt('canary', 25),
    rolloutAt('on'),
  );

  it('it is decided or refused, and the same again', () => {
    const lineages = [lineageCalled('one'), held('two', { grant: 'resume' })];
    fc.assert(
      fc.property(command, stage, (change, rollout) => {
        const asked = { ...READER, ...change } as Delegate;
        const decision = decisionOn(asked, { lineages, rollout });
        expect(JSON.stringify(decisionOn(asked, { lineages, rollout }))).toBe(JSON.stringify(decision));
        if ('refusal' in decision) expect(decision.refusal).toBeInstanceOf(TerminalError);
        else delegationViewSchema.parse(decision.answer);
        for (const { event } of decision.telemetry ?? []) expect(recordEvent({ event })).toEqual(event);
      }),
      { numRuns: 300 },
    );
  });
});
