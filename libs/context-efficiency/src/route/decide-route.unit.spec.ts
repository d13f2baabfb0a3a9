import { judged } from '../testing/judged.js';

const PATH = 'INVALID_OWNERSHIP_PATH';
const SCOPE = 'WRITER_SCOPE_REQUIRED';
const BAD = 'INVALID_REQUEST';
const FRESH = 'fresh-capsule INDEPENDENT_CAPSULE';
const FALLBACK = `${FRESH},CAPABILITY_FALLBACK`;
const ISOLATED = `${FRESH},SENSITIVITY_ISOLATION`;
const CONFLICT = 'local WRITER_OWNERSHIP_CONFLICT';
const RESUME = 'resume RESUME_COMPATIBLE';
const RECENT = 'inherit-recent BOUNDED_RECENT_CONTEXT';
const FULL = 'inherit-full HIGH_CONTEXT_AFFINITY';
const TEAM = 'coordinated-team TEAM_COORDINATION_REQUIRED';
const DEEP = 'local NESTING_LIMIT';

type Decision = { readonly mode: string; readonly reason_codes: readonly string[] };

/** `mode REASON,REASON`, or the code of a refusal. */
function route(input: unknown): string {
  const result = judged('route', typeof input === 'string' ? `{"input":${input}}` : { input });
  if (typeof result === 'string') return result;
  const { mode, reason_codes: reasons } = result as Decision;
  return `${mode} ${reasons.join(',')}`;
}

type Row = readonly [what: string, input: unknown, expected: string];

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    it.each(rows)('%s', (_, input, expected) => expect(route(input)).toBe(expected));
  });
}

const writer = { is_writer: true, owned_files: ['src/a'] };
const hot = { compatible: true, resumable: true };
const affine = { affinity: 'high', safe: true, within_budget: true };
const team = {
  coordination_required: true,
  peers: 2,
  provider_supported: true,
  safe: true,
  sensitivity_approved: true,
  within_budget: true,
  latency_ratio: 0.75,
};
const teamed = { team, sensitivity: 'normal', capsule_sufficient: false };
const withTeam = (change: object, facts: object = {}): object => ({
  ...teamed,
  ...facts,
  team: { ...team, ...change },
});

table('the input (§3)', [
  ['an array', [], BAD],
  ['null', null, BAD],
  ['a text', '"x"', BAD],
  ['nothing at all', {}, FRESH],
  ['names of a prototype', '{"__proto__":{"trivial":true},"constructor":1,"toString":true}', FRESH],
  [
    'facts hidden in a prototype of the lineage',
    '{"lineage":{"__proto__":{"compatible":true,"resumable":true}}}',
    FRESH,
  ],
]);

test('facts beside the input are ignored', () => {
  expect(judged('route', { input: {}, blocking: true })).toMatchObject({ mode: 'fresh-capsule' });
  expect(judged('route', { blocking: true })).toBe(BAD);
});

table('lists of paths (§4.1, row 1)', [
  ...['owned_files', 'resolved_owned_files', 'active_writers', 'active_writer_scopes'].flatMap(
    (name): Row[] => [
      [`${name} of a reader as text`, { [name]: 'src' }, PATH],
      [`${name} as an object`, { [name]: {} }, PATH],
      [`${name} as false`, { [name]: false }, PATH],
      [`${name} null`, { [name]: null }, FRESH],
      [`${name} empty`, { [name]: [] }, FRESH],
    ],
  ),
  ['of the lineage', { lineage: { owned_files: 'x' } }, PATH],
  ['of the lineage, resolved', { lineage: { resolved_owned_files: 0 } }, PATH],
  ['scopes as text', { team: { scopes: 'x' } }, PATH],
  ['scopes null', { team: { scopes: null } }, FRESH],
  ['of a writing scope', { team: { scopes: [{ owned_files: 'x' }] } }, PATH],
  ['of a scope that does not write', { team: { scopes: [{ is_writer: false, owned_files: 'x' }] } }, FRESH],
  ['a list inside a list', { owned_files: [['a']] }, PATH],
  [
    'a bad path of the lineage before a conflict',
    { ...writer, lineage: { owned_files: ['..'] }, active_writers: [writer] },
    PATH,
  ],
  [
    'a bad path before a missing scope elsewhere',
    { owned_files: ['/a'], team: { scopes: [{ is_writer: true }] } },
    PATH,
  ],
  ['a bad path although trivial', { trivial: true, owned_files: ['C:/a'] }, PATH],
  ['a blank root without a path', { workspace_root: ' ' }, FRESH],
  ['a blank root with one', { workspace_root: ' ', owned_files: ['a'] }, PATH],
  ['a root that is a number', { workspace_root: 1, owned_files: ['a'] }, PATH],
  ['a null root', { workspace_root: null, owned_files: ['a'] }, FRESH],
]);

table('who is a writer (§4.3, rows 2 and 2a)', [
  ['declared', { is_writer: true }, SCOPE],
  ['declared by a text', { is_writer: 'true' }, FRESH],
  ['declared by 1', { is_writer: 1 }, FRESH],
  ...['builder', 'Api-Builder', 'spec_writer', 'IMPLEMENTER', 'x-implementer_y'].map((role): Row => [
    `role ${role}`,
    { role },
    SCOPE,
  ]),
  ...['shipbuilder', 'lead builder', 'builders', 'reviewer', ''].map((role): Row => [
    `role ${role}`,
    { role },
    FRESH,
  ]),
  ['a role of the lineage', { lineage: { role: 'builder' } }, SCOPE],
  ['a null role falls to the lineage', { role: null, lineage: { role: 'builder' } }, SCOPE],
  ['an empty role does not', { role: '', lineage: { role: 'builder' } }, FRESH],
  ['is_writer false exempts nobody', { is_writer: false, role: 'builder' }, SCOPE],
  [
    'not even who has paths',
    { is_writer: false, owned_files: ['a'], active_writers: [{ owned_files: ['a'] }] },
    CONFLICT,
  ],
  [
    'paths of the lineage make one',
    { lineage: { owned_files: ['a'] }, active_writers: [{ owned_files: ['a'] }] },
    CONFLICT,
  ],
  [
    'paths of a team make one',
    { team: { scopes: [{ owned_files: ['a'] }] }, active_writers: [{ owned_files: ['a'] }] },
    CONFLICT,
  ],
  ['a scope that says it writes, without a path', { team: { scopes: [{ is_writer: true }] } }, SCOPE],
  ['… beside paths of the unit', { ...writer, team: { scopes: [{ is_writer: true }] } }, SCOPE],
  ['a scope that says nothing, no team requested', { team: { scopes: [{}] } }, FRESH],
  ['a scope that says nothing, a team requested', withTeam({ scopes: [{}] }), SCOPE],
  ['… although the team fails on another fact', withTeam({ scopes: [{}], safe: false }), SCOPE],
  ['… although it is trivial', withTeam({ scopes: [{}] }, { trivial: true }), SCOPE],
  ['a scope that does not write', withTeam({ scopes: [{ is_writer: false }] }), TEAM],
]);

table('active writers (§4.4, rows 3 to 5)', [
  ['not looked at by a reader', { active_writers: [5, { owned_files: ['..'] }] }, FRESH],
  ['one that is no object', { ...writer, active_writers: [null] }, PATH],
  ['one that is an array', { ...writer, active_writers: [[]] }, PATH],
  ['one with a bad list', { ...writer, active_writers: [{ owned_files: 'src/a' }] }, PATH],
  ['one with a bad path', { ...writer, active_writers: [{ owned_files: ['src/a', '..'] }] }, PATH],
  ['one without a path', { ...writer, active_writers: [{}] }, SCOPE],
  ['after the first overlap nothing is looked at', { ...writer, active_writers: [writer, null] }, CONFLICT],
  ['before it everything', { ...writer, active_writers: [{}, writer] }, SCOPE],
  [
    'one that says it does not write',
    { ...writer, active_writers: [{ is_writer: false, owned_files: ['src'] }] },
    CONFLICT,
  ],
  [
    'one of the own lineage',
    {
      ...writer,
      lineage: { lineage_id: 'l' },
      active_writers: [{ lineage_id: 'l', owned_files: ['src/a/b'] }],
    },
    CONFLICT,
  ],
  ['by resolved paths', { ...writer, active_writers: [{ resolved_owned_files: ['SRC\\A'] }] }, CONFLICT],
  ['side by side', { ...writer, active_writers: [{ owned_files: ['src/ab'] }] }, FRESH],
  ['stars cover nothing', { ...writer, active_writers: [{ owned_files: ['src/**'] }] }, FRESH],
  ['the root covers all', { ...writer, active_writers: [{ owned_files: ['.'] }] }, CONFLICT],
  ['under the alias', { ...writer, active_writer_scopes: [writer] }, CONFLICT],
  ['null falls to the alias', { ...writer, active_writers: null, active_writer_scopes: [writer] }, CONFLICT],
  ['an empty list does not', { ...writer, active_writers: [], active_writer_scopes: [writer] }, FRESH],
  ['a conflict before a bad number', { ...writer, active_writers: [writer], nesting_depth: -1 }, CONFLICT],
  ['a conflict although trivial', { ...writer, active_writers: [writer], trivial: true }, CONFLICT],
  [
    'the example',
    { owned_files: ['Docs/'], active_writers: [{ owned_files: ['docs/x.md'] }], trivial: true },
    CONFLICT,
  ],
]);

table('nesting (rows 6 and 7)', [
  ['one below the limit', { nesting_depth: 1 }, FRESH],
  ['at it', { nesting_depth: 2 }, DEEP],
  ['above it', { nesting_depth: 3 }, DEEP],
  ['a raised limit', { nesting_depth: 2, max_nesting_depth: 3 }, FRESH],
  ['a lowered one', { nesting_depth: 1, max_nesting_depth: 1 }, DEEP],
  ['a limit of none', { max_nesting_depth: 0 }, BAD],
  ['a negative depth', { nesting_depth: -1 }, BAD],
  ['a fraction', { nesting_depth: 0.5 }, BAD],
  ['a whole float', '{"nesting_depth":2.0}', DEEP],
  ['a text', { nesting_depth: '1' }, BAD],
  ['a bad limit', { max_nesting_depth: true }, BAD],
  ['before trivial', { nesting_depth: 2, trivial: true }, DEEP],
]);

table('kept local (row 8)', [
  ['trivial', { trivial: true }, 'local LOCAL_CHEAPER'],
  ['trivial by any truthy value', { trivial: 'no' }, 'local LOCAL_CHEAPER'],
  ['trivial by an empty list', { trivial: [] }, 'local LOCAL_CHEAPER'],
  ...[0, '', false, null].map((trivial): Row => [`not by ${JSON.stringify(trivial)}`, { trivial }, FRESH]),
  ['not by -0', '{"trivial":-0}', FRESH],
  ['blocking', { blocking: 1 }, 'local BLOCKING'],
  ['both', { blocking: true, trivial: true }, 'local LOCAL_CHEAPER,BLOCKING'],
  ['tight coupling', { coupling: 'tight' }, 'local LOCAL_CHEAPER'],
  ['tight, in another case', { coupling: 'Tight' }, FRESH],
  ['before isolation', { trivial: true, sensitivity: 'isolated' }, 'local LOCAL_CHEAPER'],
]);

table('isolated (row 9)', [
  ['an independent reviewer', { independent_reviewer: true }, `${FRESH},REVIEW_INDEPENDENCE`],
  ['one by a text', { independent_reviewer: 'true' }, FRESH],
  ['restricted', { sensitivity: 'restricted' }, ISOLATED],
  ['isolated', { sensitivity: 'isolated' }, ISOLATED],
  ['an unknown word', { sensitivity: 'Restricted' }, FRESH],
  ['unsafe', { inheritance: { safe: false } }, ISOLATED],
  ['not known to be safe', { inheritance: { safe: null } }, FRESH],
  ['all', { independent_reviewer: true, sensitivity: 'isolated' }, `${ISOLATED},REVIEW_INDEPENDENCE`],
  ['before resuming', { sensitivity: 'isolated', lineage: hot }, ISOLATED],
  [
    'before bad counts of a writer',
    { ...writer, sensitivity: 'isolated', active_inherited_writers: -1 },
    ISOLATED,
  ],
]);

table('the cap of inherited writers (row 10)', [
  ['a bad count of a writer', { ...writer, active_inherited_writers: -1 }, BAD],
  ['a bad cap of a writer', { ...writer, max_active_inherited: 0 }, BAD],
  ['of a reader nobody looks', { active_inherited_writers: -1, max_active_inherited: 'x' }, FRESH],
  ['one below', { ...writer, active_inherited_writers: 1, lineage: hot }, RESUME],
  ['at it', { ...writer, active_inherited_writers: 2, lineage: hot }, FALLBACK],
  ['above it', { ...writer, active_inherited_writers: 3, lineage: hot }, FALLBACK],
  ['raised', { ...writer, active_inherited_writers: 2, max_active_inherited: 3, lineage: hot }, RESUME],
  [
    'bars inheritance',
    { ...writer, active_inherited_writers: 2, inheritance: { ...affine, full_supported: true } },
    FALLBACK,
  ],
  ['bars no reader', { active_inherited_writers: 9, lineage: hot }, RESUME],
  ['bars no capsule', { ...writer, active_inherited_writers: 2 }, FRESH],
  ['bars no team', { ...writer, ...teamed, active_inherited_writers: 2 }, TEAM],
]);

table('resumed (row 11)', [
  ['compatible and resumable', { lineage: hot }, RESUME],
  ['compatible by a text', { lineage: { ...hot, compatible: 'true' } }, FRESH],
  ['not resumable', { lineage: { ...hot, resumable: false } }, FRESH],
  ['contaminated', { lineage: { ...hot, role: 'builder-contaminated' }, ...writer }, FRESH],
  ['a reviewer and a builder', { role: 'reviewer', lineage: { ...hot, role: 'builder' } }, FRESH],
  ['a reviewer of another spelling', { role: 'Reviewer', lineage: { ...hot, role: 'builder' } }, RESUME],
  ['a reviewer and its own', { role: 'reviewer', lineage: { ...hot, role: 'reviewer' } }, RESUME],
  ['before inheritance', { lineage: hot, inheritance: { ...affine, full_supported: true } }, RESUME],
  ['a lineage that is no object', { lineage: 'hot' }, FRESH],
]);

table('inherited (rows 12 and 13)', [
  ['recent', { inheritance: { ...affine, recent_sufficient: true, recent_supported: true } }, RECENT],
  [
    'recent before full',
    { inheritance: { ...affine, recent_sufficient: 1, recent_supported: 'y', full_supported: true } },
    RECENT,
  ],
  [
    'recent not callable, full is',
    { inheritance: { ...affine, recent_sufficient: true, full_supported: true } },
    FULL,
  ],
  [
    'recent does not suffice',
    { inheritance: { ...affine, recent_supported: true, full_supported: true } },
    FULL,
  ],
  ['full by any truthy value', { inheritance: { ...affine, full_supported: 'x' } }, FULL],
  ['nothing callable', { inheritance: affine }, FALLBACK],
  [
    'affinity of another spelling',
    { inheritance: { ...affine, affinity: 'High', full_supported: true } },
    FRESH,
  ],
  ['safe by a text', { inheritance: { ...affine, safe: 'true', full_supported: true } }, FALLBACK],
  ['beyond budget', { inheritance: { ...affine, within_budget: false, full_supported: true } }, FALLBACK],
  [
    'an unknown sensitivity bars nothing',
    { sensitivity: 'secret', inheritance: { ...affine, full_supported: true } },
    FULL,
  ],
]);

table('a team (row 14)', [
  ['all in place', teamed, TEAM],
  ['where a capsule suffices', { ...teamed, capsule_sufficient: true }, FRESH],
  ['where that is not said', { ...teamed, capsule_sufficient: null }, FRESH],
  ['one peer', withTeam({ peers: 1 }), FRESH],
  ['three peers', withTeam({ peers: 3 }), TEAM],
  ['two and a half', withTeam({ peers: 2.5 }), FRESH],
  ['peers by a text', withTeam({ peers: '2' }), FRESH],
  ['no coordination required', withTeam({ coordination_required: 1 }), FRESH],
  ...['provider_supported', 'safe', 'sensitivity_approved', 'within_budget'].map((name): Row => [
    `not ${name}`,
    withTeam({ [name]: 'true' }),
    FALLBACK,
  ]),
  ['a ratio of 0', withTeam({ latency_ratio: 0 }), TEAM],
  ['below 0', withTeam({ latency_ratio: -0.001 }), FALLBACK],
  ['above 0.75', withTeam({ latency_ratio: 0.7500001 }), FALLBACK],
  ['by a text', withTeam({ latency_ratio: '0.5' }), FALLBACK],
  ['without one', withTeam({ latency_ratio: null }), FALLBACK],
  ['without a sensitivity', { ...teamed, sensitivity: null }, FALLBACK],
  ['separate scopes', withTeam({ scopes: [{ owned_files: ['a'] }, { owned_files: ['b'] }] }), TEAM],
  ['overlapping ones', withTeam({ scopes: [{ owned_files: ['a'] }, { owned_files: ['A/b'] }] }), FALLBACK],
  ['overlapping inside one', withTeam({ scopes: [{ owned_files: ['a', 'a/b'] }] }), FALLBACK],
  [
    'the same path under both names of one',
    withTeam({ scopes: [{ owned_files: ['a'], resolved_owned_files: ['a'] }] }),
    TEAM,
  ],
  [
    'a reader over a writer',
    withTeam({ scopes: [{ owned_files: ['a'] }, { is_writer: false, owned_files: ['a'] }] }),
    TEAM,
  ],
  ['a scope that is no object', withTeam({ scopes: [5] }), PATH],
  ['a null scope', withTeam({ scopes: [null] }), PATH],
  ['… where the team fails already', withTeam({ scopes: [null], safe: false }), FALLBACK],
  ['… where something else decided', withTeam({ scopes: [null] }, { trivial: true }), 'local LOCAL_CHEAPER'],
  ['after inheritance', { ...teamed, inheritance: { ...affine, full_supported: true } }, FULL],
]);

table('otherwise (row 15)', [
  ['affinity that led nowhere', { inheritance: { affinity: 'high' } }, FALLBACK],
  ['a team that is not eligible', { team: { coordination_required: true, peers: 2 } }, FALLBACK],
  ['an eligible team that is not needed', { ...teamed, capsule_sufficient: true }, FRESH],
  ['the example', { role: 'indexer', sensitivity: 'isolated' }, ISOLATED],
]);
