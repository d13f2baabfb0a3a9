import * as fc from 'fast-check';
import { ContextRefusal } from '../answers/context-refusal.js';
import { decideDispatch } from '../dispatch/decide-dispatch.js';
import type { Facts } from '../json/facts.js';
import { evaluateLineage } from '../lineage/evaluate-lineage.js';
import { textWorkspace } from '../paths/workspace.js';
import { decideResult } from '../result-policy/decide-result.js';
import { decideRoute } from '../route/decide-route.js';
import { NOON } from '../testing/judged.js';
import { CURRENT, LINEAGE } from '../testing/lineages.js';
import {
  holdsOnlyRecord,
  knownCurrent,
  knownRecord,
  knownResultPart,
  knownResultPolicy,
  knownRouting,
} from './known-facts.js';

const FREE = 'quiet otter';
const NOTE = { note: FREE, __proto__x: [{ [FREE]: FREE }], constructor: FREE };

/** Anything that may stand where another type is meant; the text is found again wherever it goes. */
const odd = fc.constantFrom<unknown>(
  null,
  true,
  false,
  0,
  1,
  2,
  -1,
  0.5,
  '',
  FREE,
  [],
  [FREE],
  {},
  { a: FREE },
);
const paths = fc.oneof(fc.subarray(['src/a', 'src', 'docs', 'A/../b', 'a:b']), odd);
const writers = fc.oneof(fc.array(record({ owned_files: paths, is_writer: odd }), { maxLength: 2 }), odd);

function record(names: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Facts> {
  return fc.record({ ...names, note: fc.constant(FREE) }, { requiredKeys: [] });
}

function odds(...names: readonly string[]): Readonly<Record<string, fc.Arbitrary<unknown>>> {
  return Object.fromEntries(names.map((name) => [name, odd]));
}

const role = fc.oneof(fc.constantFrom('builder', 'reviewer', 'scout'), odd);
const mostly = <Value>(value: Value): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(value) }, odd);

const routing = record({
  ...odds('is_writer', 'workspace_root', 'trivial', 'blocking', 'capsule_sufficient', 'independent_reviewer'),
  ...odds('nesting_depth', 'max_nesting_depth', 'active_inherited_writers', 'max_active_inherited'),
  role,
  coupling: fc.oneof(fc.constantFrom('tight', 'independent'), odd),
  sensitivity: mostly('normal'),
  owned_files: paths,
  resolved_owned_files: paths,
  active_writers: writers,
  active_writer_scopes: writers,
  lineage: fc.oneof(
    record({ compatible: mostly(true), resumable: mostly(true), role, owned_files: paths }),
    odd,
  ),
  inheritance: fc.oneof(
    record({
      affinity: mostly('high'),
      safe: mostly(true),
      within_budget: mostly(true),
      ...odds('full_supported', 'recent_supported', 'recent_sufficient'),
    }),
    odd,
  ),
  team: fc.oneof(
    record({
      coordination_required: mostly(true),
      provider_supported: mostly(true),
      safe: mostly(true),
      sensitivity_approved: mostly(true),
      within_budget: mostly(true),
      peers: mostly(2),
      latency_ratio: mostly(0.5),
      scopes: writers,
    }),
    odd,
  ),
});

const POLICY_NAMES = ['write_prohibited', 'material', 'writer', 'partial', 'resumable', 'crosses_phase'];
const policy = record({
  ...odds(...POLICY_NAMES, 'large_raw_output', 'authorize_handoff', 'authorize_artifact'),
  ...odds('authorize_vault_write', 'authorize_settings_write', 'authorize_workgroup_write'),
  requested_mode: fc.oneof(fc.constantFrom('ephemeral', 'durable', 'artifact'), odd),
});
const current = fc
  .tuple(
    record(
      odds(
        'independent_reviewer',
        'final_gate',
        'reconcile_required',
        'scope_complete',
        'likely_continuation',
      ),
    ),
    fc.subarray(Object.keys(CURRENT), { minLength: 12 }),
    record(odds('model', 'role', 'capsule_hash')),
  )
  .map(([flags, names, others]): Facts => {
    const facts = names.map((name) => [name, (CURRENT as Facts)[name]]);
    return { ...(Object.fromEntries(facts) as Facts), ...flags, ...others };
  });

/** As it comes over the wire: no two facts are the same object. */
function asSent(facts: Facts): Facts {
  return JSON.parse(JSON.stringify(facts)) as Facts;
}

function outcome(decide: () => unknown): unknown {
  try {
    return decide();
  } catch (error) {
    return error instanceof ContextRefusal ? error.code : error;
  }
}

const clock = Date.parse(NOON);
const RUNS = { numRuns: 400 };

describe('the contract’s names of open facts', () => {
  it('decide the same route, and hold nothing beside it', () =>
    fc.assert(
      fc.property(routing, (facts) => {
        const route = (input: Facts): unknown =>
          outcome(() => decideRoute(input, { workspace: textWorkspace }));
        expect(route(knownRouting(facts))).toEqual(route(facts));
        expect(knownRouting(facts)).not.toHaveProperty('note');
      }),
      RUNS,
    ));

  it('decide the same dispatch, in an input of its own or not', () =>
    fc.assert(
      fc.property(routing, policy, current, fc.boolean(), (facts, result, now, wrapped) => {
        const wrap = (part: Facts): Facts => (wrapped ? { input: part, ...NOTE } : part);
        const dispatch = (parts: Facts): unknown =>
          outcome(() =>
            decideDispatch(asSent({ ...parts, rollout: {} }), { workspace: textWorkspace, clock }),
          );
        const given = { routing: wrap(facts), result_policy: wrap(result) };
        const known = {
          routing: knownRouting(given.routing),
          result_policy: knownResultPart(given.result_policy),
        };
        const lineage = { lineage: LINEAGE, current: now };
        expect(dispatch({ ...known, lineage: { ...lineage, current: knownCurrent(now) } })).toEqual(
          dispatch({ ...given, lineage }),
        );
      }),
      RUNS,
    ));

  it('decide the same verdict and the same result', () =>
    fc.assert(
      fc.property(current, policy, (now, result) => {
        const verdict = (facts: Facts): unknown =>
          outcome(() => evaluateLineage({ lineage: LINEAGE, current: facts }, clock));
        expect(verdict(knownCurrent(now))).toEqual(verdict(now));
        expect(outcome(() => decideResult(knownResultPolicy(result)))).toEqual(
          outcome(() => decideResult(result)),
        );
      }),
      RUNS,
    ));

  it('are all there are, in their values', () => {
    expect(knownCurrent({ ...CURRENT, ...NOTE })).toEqual(CURRENT);
    expect(knownRecord({ ...LINEAGE, ...NOTE })).toEqual(LINEAGE);
    expect(knownRecord({ role: { a: FREE }, scope: [FREE], model: null })).toEqual({
      role: {},
      scope: [],
      model: null,
    });
    const whole = {
      lineage: { lineage_id: 'a', compatible: true, resumable: false, role: 'builder', owned_files: ['a'] },
      team: { peers: 2, latency_ratio: 0.5, scopes: [{ is_writer: true, resolved_owned_files: ['a'] }] },
      inheritance: { affinity: 'high', safe: true, within_budget: true, full_supported: true },
      workspace_root: 'a',
      nesting_depth: 1,
    };
    expect(knownRouting(whole)).toEqual(whole);
    expect(knownRouting({ input: null, ...whole })).toEqual(whole);
    expect(knownResultPolicy({ input: { material: true }, writer: true })).toEqual({ writer: true });
  });

  it.each([
    [LINEAGE, true],
    [{}, true],
    [{ ...LINEAGE, created_at: undefined, role: 5 }, true],
    [{ ...LINEAGE, note: null }, false],
    [{ ...LINEAGE, constructor: null }, false],
    [{ ...LINEAGE, role: {} }, false],
    [{ ...LINEAGE, scope: [] }, false],
    [JSON.parse('{"__proto__": null}') as Facts, false],
  ])('of a record: %j', (facts, only) => expect(holdsOnlyRecord(facts)).toBe(only));
});
