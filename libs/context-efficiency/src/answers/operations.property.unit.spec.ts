import fc from 'fast-check';
import { CAPSULE } from '../testing/capsules.js';
import { SURROUNDINGS } from '../testing/judged.js';
import { CURRENT, LINEAGE } from '../testing/lineages.js';
import { options, pairs } from '../testing/measurements.js';
import { PRIVATE_LABELS, PRIVATE_VALUES } from '../testing/private-values.js';
import { answerOperation, answerStream, type ContextAnswer } from './answer.js';
import { MESSAGES } from './codes.js';
import { OPERATION_NAMES } from './operations.js';

const PAIRS = pairs(1);
const DELTA = {
  category: 'Decision',
  title: 'Owner',
  content: 'One.',
  semantic_key: 'k',
  supersedes: 't',
  KnowledgeId: 'i',
};
const SCOPE = { is_writer: true, owned_files: ['a/b'], resolved_owned_files: ['c'] };

/** A request of each operation with all that it knows, to be taken apart. */
const REQUESTS: Readonly<Record<string, object>> = {
  route: {
    input: {
      ...SCOPE,
      role: 'builder',
      active_writers: [{ owned_files: ['x'] }],
      active_writer_scopes: [SCOPE],
      workspace_root: 'w',
      nesting_depth: 1,
      max_nesting_depth: 2,
      active_inherited_writers: 1,
      max_active_inherited: 2,
      trivial: false,
      blocking: false,
      coupling: 'independent',
      independent_reviewer: false,
      sensitivity: 'normal',
      lineage: { compatible: true, resumable: true, role: 'builder', owned_files: ['l'] },
      inheritance: { affinity: 'high', safe: true, within_budget: true, full_supported: true },
      capsule_sufficient: false,
      team: {
        coordination_required: true,
        peers: 2,
        provider_supported: true,
        safe: true,
        sensitivity_approved: true,
        within_budget: true,
        latency_ratio: 0.5,
        scopes: [SCOPE, { is_writer: false }],
      },
    },
  },
  lineage: { lineage: LINEAGE, current: CURRENT, now: '2031-03-10T12:00:00Z' },
  capsule: {
    capsule: {
      ...CAPSULE,
      specs: [{ path: 'a', verify_ids: ['v'] }],
      failures: [{ command: 'c', summary: 's', artifact: 'knowzcode/artifacts/a' }],
      evidence: [{ kind: 'log', summary: 'e', artifact: null }],
      artifact_refs: ['knowzcode/artifacts/b'],
      capsule_hash: null,
    },
    max_bytes: 600,
    artifact_path: 'knowzcode/artifacts/e',
    artifact_roots: ['knowzcode/artifacts'],
  },
  telemetry: {
    event: {
      event: 'dispatch_decision',
      observed_at: '2031-03-10T12:00:00Z',
      provider: 'claude',
      task_corpus_id: 'ui-integration-03',
      mode: 'local',
      reason_codes: ['BLOCKING'],
      logical: { prompt_bytes: 1 },
      billed: { amount: 1, accounting_source: 'authoritative' },
      outcome: { verify_passed: 1, verify_total: 2 },
    },
  },
  rollout: {
    input: {
      rollout: 'canary',
      actual_mode: 'local',
      recommended_mode: 'resume',
      recommendation: { mode: 'resume' },
      canary_percent: 50,
      task_corpus_id: 'ui-integration-03',
    },
  },
  'result-policy': {
    input: {
      write_prohibited: false,
      material: true,
      large_raw_output: true,
      requested_mode: 'durable',
      authorize_handoff: true,
      authorize_artifact: true,
    },
  },
  'vault-delta': {
    input: {
      delta: DELTA,
      previous_deltas: [{ ...DELTA, content: 'Two.' }, {}],
      previous_hashes: ['x'],
      severity: 'low',
      explicit_save: true,
    },
  },
  dispatch: {
    routing: { input: SCOPE },
    rollout: { rollout: 'shadow' },
    lineage: { lineage: LINEAGE, current: CURRENT },
    result_policy: { input: { writer: true } },
  },
  promotion: {
    pairs: PAIRS,
    thresholds: { minimum_sample_size: 1, required_strata: ['x'] },
    options: options(PAIRS),
  },
};

const SECRETS = Object.values(PRIVATE_VALUES);
const oddText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '\ud800',
    '\u2028',
    '../x',
    'a/b',
    'builder',
    'canary',
    '',
    ' ',
    'INVALID',
  ),
  fc.constantFrom(...SECRETS),
);
const odd: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom(null, true, false, 0, -0, 1, -1, 0.5, 1e308, 2 ** 53, [], {}, [[]], [null], [{}]),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.object({ key: oddText, maxDepth: 2, values: [oddText, fc.integer(), fc.boolean(), fc.constant(null)] }),
  fc.array(oddText, { maxLength: 3 }),
);

type Place = readonly (string | number)[];

function placesIn(value: unknown, here: Place = []): Place[] {
  if (typeof value !== 'object' || value === null) return [here];
  return [here, ...Object.entries(value).flatMap(([key, member]) => placesIn(member, [...here, key]))];
}

/** The value with another one at a place; removed where that is undefined. */
function replaced(value: unknown, [key, ...rest]: Place, other: unknown): unknown {
  if (key === undefined) return other;
  if (Array.isArray(value))
    return value.map((item: unknown, place) => (String(place) === key ? replaced(item, rest, other) : item));
  const members = Object.entries(value as object);
  return Object.fromEntries(
    members.map(([name, member]) => [name, name === key ? replaced(member, rest, other) : member]),
  );
}

const changesOf = (request: object): fc.Arbitrary<string> =>
  fc
    .array(
      fc.record({
        place: fc.constantFrom(...placesIn(request).filter((place) => place.length > 0)),
        other: fc.oneof(odd, fc.constant(undefined)),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((changes) => {
      const changed = changes.reduce<unknown>(
        (value, { place, other }) => (stands(value, place) ? replaced(value, place, other) : value),
        request,
      );
      return JSON.stringify(changed);
    });

function stands(value: unknown, [key, ...rest]: Place): boolean {
  if (key === undefined) return true;
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.hasOwn(value, key) &&
    stands((value as Record<string, unknown>)[key], rest)
  );
}

const answered = (operation: string, text: string): ContextAnswer =>
  answerOperation(operation, JSON.parse(text), SURROUNDINGS);

function checkForm(answer: ContextAnswer, operation: string): void {
  if (answer.ok) return expect(Object.keys(answer)).toEqual(['ok', 'operation', 'result']);
  expect(answer).toEqual({ ok: false, code: answer.code, message: MESSAGES[answer.code] });
  expect(operation === 'x' || answer.code !== 'UNSUPPORTED_OPERATION').toBe(true);
}

describe.each(OPERATION_NAMES)('%s', (operation) => {
  const request = REQUESTS[operation] ?? {};

  it('answers what it knows', () =>
    expect(answered(operation, JSON.stringify(request))).toMatchObject({ ok: true }));

  it('answers whatever it becomes: in form, the same bytes again, input untouched', () => {
    fc.assert(
      fc.property(changesOf(request), (text) => {
        const parsed = JSON.parse(text);
        const answer = answerOperation(operation, parsed, SURROUNDINGS);
        checkForm(answer, operation);
        expect(JSON.stringify(parsed)).toBe(text);
        expect(JSON.stringify(answered(operation, text))).toBe(JSON.stringify(answer));
      }),
      { numRuns: 400 },
    );
  });

  it('answers anything else', () => {
    fc.assert(
      fc.property(odd, (input) => {
        for (const each of [
          { input },
          { ...request, ...(input as object) },
          { event: input, capsule: input, current: input, pairs: input },
        ]) {
          checkForm(answered(operation, JSON.stringify(each)), operation);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('answers any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        async function* open(): AsyncGenerator<Uint8Array> {
          yield bytes;
        }
        checkForm(await answerStream({ operation, open, surroundings: () => SURROUNDINGS }), operation);
      }),
      { numRuns: 100 },
    );
  });
});

describe('private values in any field of any operation', () => {
  /** Echoed by right: the name of a vault's entry is the caller's own. */
  const ECHOED = ['KnowledgeId'];

  /** A briefing may name people, places and addresses (§6.3); nothing else repeats them. */
  const privateTo = (operation: string): readonly string[] =>
    operation === 'capsule' ? SECRETS : [...SECRETS, ...Object.values(PRIVATE_LABELS)];

  it.each(OPERATION_NAMES)('never come out of %s', (operation) => {
    const request = REQUESTS[operation] ?? {};
    const places = placesIn(request).filter(
      (place) => place.length > 0 && !ECHOED.includes(String(place.at(-1))),
    );
    const leaks = places.flatMap((place) =>
      privateTo(operation).filter((value) => {
        const answer = answered(operation, JSON.stringify(replaced(request, place, value)));
        return JSON.stringify(answer).includes(JSON.stringify(value).slice(1, -1));
      }),
    );
    expect(leaks).toEqual([]);
  });
});
