import { canonicalJson } from '../json/canonical-json.js';
import { digestOf } from '../hashing/digests.js';
import { CAPSULE } from '../testing/capsules.js';
import { judged } from '../testing/judged.js';
import { PRIVATE_VALUES } from '../testing/private-values.js';

const SCHEMA = 'CAPSULE_SCHEMA_INVALID';
const PRIVATE = 'CAPSULE_PRIVATE_CONTENT';
const LONG = 'CAPSULE_STRING_TOO_LONG';
const UNSAFE = 'CAPSULE_ARTIFACT_REF_INVALID';
const UNAUTHORIZED = 'CAPSULE_ARTIFACT_REF_UNAUTHORIZED';
const OVERFLOW = 'CAPSULE_MANDATORY_OVERFLOW';

const make = (change: object, more: object = {}): unknown =>
  judged('capsule', { capsule: { ...CAPSULE, ...change }, max_bytes: 10_000_000, ...more });
const sealed = { capsule_hash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) };
const a = (count: number): string => 'a'.repeat(count);
const several = <Item>(count: number, item: (place: number) => Item): Item[] =>
  Array.from({ length: count }, (_, place) => item(place));
const DIGEST = `sha256:${a(64)}`;
const ARTIFACT = 'knowzcode/artifacts/log.txt';

describe('sealing (§6.1, §2.2)', () => {
  it('gives the example its golden hash and size', () => {
    const result = judged('capsule', { capsule: CAPSULE });
    const hash = 'sha256:46af7edae92b3c129c9497309b0cf71add834cf962b3c69b9fefc9767cd06555';
    expect(result).toEqual({ ...CAPSULE, capsule_hash: hash });
    expect(Buffer.byteLength(canonicalJson(result))).toBe(421);
  });

  it('gives equal capsules equal bytes, in whatever order they came', () => {
    const reversed = Object.fromEntries(Object.entries(CAPSULE).reverse());
    const results = [CAPSULE, reversed].map((capsule) => JSON.stringify(judged('capsule', { capsule })));
    expect(results[0]).toBe(results[1]);
  });

  it('replaces a hash that came, without looking at it', () => {
    const plain = make({});
    expect(make({ capsule_hash: DIGEST })).toEqual(plain);
    expect(make({ capsule_hash: null })).toEqual(plain);
  });

  it('hashes composed and decomposed letters apart, and lone surrogates at all', () => {
    const hashes = ['caf\u00e9', 'cafe\u0301', '\ud800', '\udfff'].map(
      (objective) => (make({ objective }) as { capsule_hash: string }).capsule_hash,
    );
    expect(new Set(hashes).size).toBe(4);
    const text = canonicalJson({ ...CAPSULE, objective: '\ud800' });
    expect(text).toContain('"\\ud800"');
    expect(hashes[2]).toBe(digestOf(text));
  });

  it('leaves absent optional fields absent, and keeps empty ones', () => {
    expect(Object.keys(make({}) as object)).toHaveLength(16);
    expect(make({ evidence: [], artifact_refs: [] })).toMatchObject({ evidence: [], artifact_refs: [] });
  });
});

describe('operands (§6.1, 1 and 2)', () => {
  it.each([null, '421', 0, -1, 421.5, true, [421], 1e400])('has no max_bytes of %p', (max_bytes) =>
    expect(judged('capsule', { max_bytes, capsule: 'x' })).toBe('INVALID_REQUEST'),
  );
  it.each([undefined, null, 'x', 5, true])('has no capsule %p', (capsule) =>
    expect(judged('capsule', { capsule })).toBe('INVALID_REQUEST'),
  );
  it('finds an array to break the schema', () => expect(judged('capsule', { capsule: [] })).toBe(SCHEMA));
});

describe('schema (§6.2)', () => {
  const spec = { path: 'a', verify_ids: [] };
  const failure = { command: 'npm test', summary: 'Fails.', artifact: null };
  const evidence = { kind: 'file', summary: 'Seen.' };
  const ids = (count: number): string[] => several(count, (place) => `id-${place}`);
  const artifacts = (count: number): string[] => several(count, (place) => `${ARTIFACT}${place}`);

  const FIT: readonly (readonly [string, object])[] = [
    ['ids at their bounds', { task_id: 'a', workgroup_id: a(128) }],
    ['an objective of 4096', { objective: a(4096) }],
    ['64 nodes', { node_ids: ids(64) }],
    ['a node of 128', { node_ids: [a(128)] }],
    ['64 owned files', { owned_files: ids(64) }],
    ['an owned file of 512', { owned_files: [a(512)] }],
    ['128 read files', { read_files: ids(128) }],
    ['64 specs, alike', { specs: several(64, () => spec) }],
    ['a spec with 128 ids', { specs: [{ path: a(512), verify_ids: ids(128) }] }],
    ['128 decisions, alike', { approved_decisions: several(128, () => a(2048)) }],
    ['128 risks', { risks: ids(128) }],
    ['128 constraints', { constraints: ids(128) }],
    ['a short checkpoint', { checkpoint_sha: a(7) }],
    ['a long one', { checkpoint_sha: a(4096) }],
    ['64 failures', { failures: several(64, () => failure) }],
    ['a failure at its bounds', { failures: [{ command: a(1024), summary: a(2048), artifact: ARTIFACT }] }],
    ['a next action of 2048', { next_action: a(2048) }],
    ['128 pieces of evidence', { evidence: several(128, () => evidence) }],
    [
      'evidence of each kind',
      { evidence: ['file', 'test', 'log', 'vault', 'user'].map((kind) => ({ ...evidence, kind })) },
    ],
    ['evidence at its bounds', { evidence: [{ kind: 'log', summary: a(2048), artifact: null }] }],
    ['128 artifacts', { artifact_refs: artifacts(128) }],
    ['an artifact of 512', { artifact_refs: [`knowzcode/artifacts/${a(492)}`] }],
    ['a length in UTF-16 units', { task_id: '😀'.repeat(64) }],
  ];
  it.each(FIT)('takes %s', (_, change) => expect(make(change)).toMatchObject(sealed));

  const MISFIT: readonly (readonly [string, object])[] = [
    ['another version', { schema: 'knowzcode.context-capsule/v2' }],
    ['an empty id', { task_id: '' }],
    ['an id of 129', { workgroup_id: a(129) }],
    ['an id of 65 emojis', { task_id: '😀'.repeat(65) }],
    ['a number for an id', { task_id: 9 }],
    ['a phase in lower case', { phase: '1b' }],
    ['a phase as a number', { phase: 3 }],
    ['an empty objective', { objective: '' }],
    ['an objective of 4097', { objective: a(4097) }],
    ['65 nodes', { node_ids: ids(65) }],
    ['a node twice', { node_ids: ['n', 'n'] }],
    ['a node of 129', { node_ids: [a(129)] }],
    ['an empty node', { node_ids: [''] }],
    ['a list that is none', { node_ids: { length: 0 } }],
    ['65 owned files', { owned_files: ids(65) }],
    ['an owned file of 513', { owned_files: [a(513)] }],
    ['a file twice', { read_files: ['x', 'x'] }],
    ['129 read files', { read_files: ids(129) }],
    ['65 specs', { specs: several(65, () => spec) }],
    ['a spec without ids', { specs: [{ path: 'a' }] }],
    ['a spec with more', { specs: [{ ...spec, title: 'x' }] }],
    ['a spec with an id twice', { specs: [{ path: 'a', verify_ids: ['x', 'x'] }] }],
    ['a spec with 129 ids', { specs: [{ path: 'a', verify_ids: ids(129) }] }],
    ['129 decisions', { approved_decisions: ids(129) }],
    ['an empty decision', { approved_decisions: [''] }],
    ['a risk of 2049', { risks: [a(2049)] }],
    ['a checkpoint of 6', { checkpoint_sha: a(6) }],
    ['a checkpoint as a number', { checkpoint_sha: 1234567 }],
    ['65 failures', { failures: several(65, () => failure) }],
    ['a failure without artifact', { failures: [{ command: 'x', summary: 'y' }] }],
    ['a failure with a command of 1025', { failures: [{ ...failure, command: a(1025) }] }],
    ['a next action of 2049', { next_action: a(2049) }],
    ['evidence of another kind', { evidence: [{ ...evidence, kind: 'chat' }] }],
    ['evidence with more', { evidence: [{ ...evidence, transcript: 'x' }] }],
    ['129 pieces of evidence', { evidence: several(129, () => evidence) }],
    ['evidence that is null', { evidence: null }],
    ['artifacts that are null', { artifact_refs: null }],
    ['an artifact twice', { artifact_refs: [ARTIFACT, ARTIFACT] }],
    ['129 artifacts', { artifact_refs: artifacts(129) }],
    ...['', '/x', 'c:x', 'C:', 'x/../y', '..', 'x\\y', 'x://y', 'x//y', 'x/', a(513)].map(
      (artifact) => [`an artifact ${artifact.slice(0, 9)}`, { artifact_refs: [artifact] }] as const,
    ),
    ['a bad artifact of a failure', { failures: [{ ...failure, artifact: '/x' }] }],
    ['a bad artifact of evidence', { evidence: [{ ...evidence, artifact: 'x/' }] }],
    ['a hash that is none', { capsule_hash: 'sha256:x' }],
    ['an empty hash', { capsule_hash: '' }],
    ['another field', { transcript: 'x' }],
    ['a field named like an inherited one', { constructor: 'x' }],
    ['another one', { toString: null }],
  ];
  it.each(MISFIT)('refuses %s', (_, change) => expect(make(change)).toBe(SCHEMA));
  it.each(Object.keys(CAPSULE))('wants %s', (name) => expect(make({ [name]: undefined })).toBe(SCHEMA));
  it('has no __proto__, and inherits nothing from one', () => {
    const text = JSON.stringify(CAPSULE);
    expect(judged('capsule', `{"capsule":${text.replace('{', '{"__proto__":{},')}}`)).toBe(SCHEMA);
    const hidden = text.replace('"phase":"1B"', '"__proto__":{"phase":"1B"}');
    expect(judged('capsule', `{"capsule":${hidden}}`)).toBe(SCHEMA);
  });
  it('lets the last of equal keys count', () => {
    const twice = (first: string, second: string): string =>
      `{"capsule":${JSON.stringify(CAPSULE).replace('"phase":"1B"', `"phase":${first},"phase":${second}`)}}`;
    expect(judged('capsule', twice('5', '"1B"'))).toMatchObject({ phase: '1B' });
    expect(judged('capsule', twice('"1B"', '5'))).toBe(SCHEMA);
  });
});

describe('private content and long texts (§6.1, 4)', () => {
  const bytes = (count: number): string => `${'é'.repeat(count / 2)}${count % 2 ? 'a' : ''}`;

  it.each(Object.entries(PRIVATE_VALUES))('refuses %s in every text, and says nothing of it', (_, value) => {
    const places = [
      { task_id: value },
      { objective: value },
      { node_ids: [value] },
      { owned_files: [value] },
      { read_files: [value] },
      { specs: [{ path: value, verify_ids: [] }] },
      { specs: [{ path: 'a', verify_ids: [value] }] },
      { approved_decisions: [value] },
      { risks: ['x', value] },
      { constraints: [value] },
      { checkpoint_sha: value },
      { failures: [{ command: value, summary: 'x', artifact: null }] },
      { failures: [{ command: 'x', summary: value, artifact: null }] },
      { next_action: value },
      { evidence: [{ kind: 'log', summary: value }] },
    ];
    for (const place of places) expect([place, make(place)]).toEqual([place, PRIVATE]);
  });

  it('counts bytes: 4096 are fine, 4097 are not', () => {
    expect(make({ objective: bytes(4096) })).toMatchObject(sealed);
    expect(make({ objective: bytes(4097) })).toBe(LONG);
    expect(make({ checkpoint_sha: a(4097) })).toBe(LONG);
  });

  it('goes by the order of the document', () => {
    const [long, secret] = [{ checkpoint_sha: a(5000) }, { risks: ['password: abcd'] }];
    const { checkpoint_sha: _, risks: __, ...rest } = CAPSULE;
    expect(judged('capsule', { capsule: { ...rest, ...long, ...secret } })).toBe(LONG);
    expect(judged('capsule', { capsule: { ...rest, ...secret, ...long } })).toBe(PRIVATE);
    expect(make({ checkpoint_sha: `password: ${a(5000)}` })).toBe(LONG);
  });

  it('comes after the schema and before file references', () => {
    expect(make({ risks: ['password: abcd'], phase: 'x' })).toBe(SCHEMA);
    expect(make({ risks: ['password: abcd'], owned_files: ['/x'] })).toBe(PRIVATE);
  });
});

describe('file references (§6.4)', () => {
  const failure = (artifact: string): object => ({ failures: [{ command: 'x', summary: 'y', artifact }] });
  it.each(['/x', 'x/', 'x//y', './x', 'x/..', 'x:y', 'x\\y', ' x', 'x\u00a0', 'x\u0007'])(
    'refuses the file %p',
    (path) => {
      expect(make({ owned_files: [path] })).toBe(UNSAFE);
      expect(make({ read_files: [path] })).toBe(UNSAFE);
      expect(make({ specs: [{ path, verify_ids: [] }] })).toBe(UNSAFE);
    },
  );
  it.each([
    ['the boundary itself', 'knowzcode/artifacts', sealed],
    ['below it', 'knowzcode/artifacts/a/b', sealed],
    ['beside it', 'knowzcode/artifacts2', UNAUTHORIZED],
    ['above it', 'knowzcode', UNAUTHORIZED],
    ['in another case', 'Knowzcode/artifacts/a', UNAUTHORIZED],
    ['a dot', 'knowzcode/./artifacts', UNSAFE],
    ['a colon', 'knowzcode/artifacts/a:b', UNSAFE],
    ['a blank', 'knowzcode/artifacts/a ', UNSAFE],
    ['a control character', 'knowzcode/artifacts/\u0001', UNSAFE],
  ])('an artifact: %s', (_, artifact, expected) => {
    const evidence = { evidence: [{ kind: 'log', summary: 'x', artifact }] };
    for (const change of [{ artifact_refs: [artifact] }, failure(artifact), evidence]) {
      const result = make(change);
      if (typeof expected === 'string') expect(result).toBe(expected);
      else expect(result).toMatchObject(expected);
    }
  });
  it('judges all files before all artifacts, and artifacts in their order', () => {
    expect(make({ read_files: ['./x'], artifact_refs: ['elsewhere'] })).toBe(UNSAFE);
    expect(make({ artifact_refs: ['elsewhere', './x'] })).toBe(UNAUTHORIZED);
    expect(make({ artifact_refs: ['./x', 'elsewhere'] })).toBe(UNSAFE);
    expect(make({ artifact_refs: ['elsewhere'], ...failure('./x') })).toBe(UNAUTHORIZED);
  });
});

describe('moving evidence out (§6.5)', () => {
  const evidence = several(8, (place) => ({ kind: 'log', summary: a(500), artifact: `${ARTIFACT}${place}` }));
  const authorized = { artifact_path: 'knowzcode/artifacts/e.json', artifact_roots: ['knowzcode/artifacts'] };
  const shorten = (change: object, more: object = {}): unknown =>
    make({ evidence, ...change }, { max_bytes: 1000, ...authorized, ...more });
  const shortened = { ...CAPSULE, evidence: [], artifact_refs: [authorized.artifact_path], ...sealed };

  it('moves all of it, and refers to it', () => expect(shorten({})).toEqual(shortened));
  it('refers to it once', () =>
    expect(shorten({ artifact_refs: [authorized.artifact_path] })).toEqual(shortened));
  it('appends to what is referred to', () =>
    expect(shorten({ artifact_refs: [ARTIFACT] })).toMatchObject({
      artifact_refs: [ARTIFACT, authorized.artifact_path],
    }));

  it('fits at its exact size, whole and shortened', () => {
    const whole = Buffer.byteLength(canonicalJson(make({ evidence })));
    expect(make({ evidence }, { max_bytes: whole, ...authorized })).toMatchObject({ evidence });
    expect(make({ evidence }, { max_bytes: whole + 1 })).toMatchObject({ evidence });
    expect(make({ evidence }, { max_bytes: whole - 1, ...authorized })).toEqual(shortened);
    const size = Buffer.byteLength(canonicalJson(shorten({})));
    expect(shorten({}, { max_bytes: size })).toEqual(shortened);
    expect(shorten({}, { max_bytes: size - 1 })).toBe(OVERFLOW);
  });

  it('has 12288 bytes where none are said', () => {
    const filler = (count: number): object => ({ constraints: several(6, () => a(count)) });
    const size = Buffer.byteLength(canonicalJson(make(filler(1900))));
    const at = (extra: number): unknown =>
      judged('capsule', {
        capsule: { ...CAPSULE, ...filler(1900), next_action: CAPSULE.next_action + a(12_288 - size + extra) },
      });
    expect(at(0)).toMatchObject(sealed);
    expect(at(1)).toBe(OVERFLOW);
  });

  it.each([
    ['no evidence', { evidence: [], constraints: [a(2000)] }, { artifact_path: '/x', artifact_roots: 5 }],
    ['absent evidence', { evidence: undefined, constraints: [a(2000)] }, {}],
    ['no path', {}, { artifact_path: undefined, artifact_roots: 5 }],
    ['an empty path', {}, { artifact_path: '' }],
    ['a null path', {}, { artifact_path: null }],
    ['a path of 0', {}, { artifact_path: 0 }],
  ])('is not tried with %s', (_, change, more) => expect(shorten(change, more)).toBe(OVERFLOW));

  it('is not looked at where the capsule fits', () =>
    expect(make({}, { artifact_path: '/x', artifact_roots: [5] })).toMatchObject(sealed));

  it.each([
    ['a path that is a number', { artifact_path: 5 }, UNSAFE],
    ['a path that is true', { artifact_path: true }, UNSAFE],
    ['an unsafe path before bad roots', { artifact_path: '../x', artifact_roots: [] }, UNSAFE],
    ['no roots', { artifact_roots: undefined }, UNAUTHORIZED],
    ['null roots', { artifact_roots: null }, UNAUTHORIZED],
    ['empty roots', { artifact_roots: [] }, UNAUTHORIZED],
    ['roots as a text', { artifact_roots: 'knowzcode/artifacts' }, UNAUTHORIZED],
    ['a root with a slash at its end', { artifact_roots: ['knowzcode/artifacts/'] }, UNSAFE],
    ['a root that begins with a dot', { artifact_roots: ['./knowzcode/artifacts'] }, UNSAFE],
    ['a bad root after a good one', { artifact_roots: ['knowzcode/artifacts', 5] }, UNSAFE],
    ['a root elsewhere', { artifact_path: 'elsewhere/e', artifact_roots: ['elsewhere'] }, UNAUTHORIZED],
    ['a root above', { artifact_roots: ['knowzcode'] }, UNAUTHORIZED],
    [
      'a path beside its root',
      { artifact_path: 'knowzcode/artifacts/ab', artifact_roots: ['knowzcode/artifacts/a'] },
      UNAUTHORIZED,
    ],
    ['a secret in the path', { artifact_path: 'knowzcode/artifacts/run-20310301' }, PRIVATE],
    ['a path of 4097', { artifact_path: `knowzcode/artifacts/${a(4077)}` }, LONG],
    [
      'too big still, before the schema',
      { artifact_path: `knowzcode/artifacts/${a(493)}`, max_bytes: 900 },
      OVERFLOW,
    ],
    ['a path of 513', { artifact_path: `knowzcode/artifacts/${a(493)}`, max_bytes: 2000 }, SCHEMA],
  ])('refuses %s', (_, more, code) => expect(shorten({}, more)).toBe(code));

  it('takes a path that is a root, and one below a narrower root', () => {
    const narrow = { artifact_path: 'knowzcode/artifacts/a', artifact_roots: ['x', 'knowzcode/artifacts/a'] };
    expect(shorten({}, narrow)).toMatchObject({ artifact_refs: ['knowzcode/artifacts/a'] });
    expect(shorten({}, { ...narrow, artifact_path: 'knowzcode/artifacts/a/b' })).toMatchObject({
      evidence: [],
    });
  });

  it('has no room for a 129th reference', () => {
    const references = several(128, (place) => `${ARTIFACT}${place}`);
    const big = { max_bytes: 8000 };
    expect(shorten({ artifact_refs: references }, big)).toBe(SCHEMA);
    expect(shorten({ artifact_refs: references.slice(1) }, big)).toMatchObject({ evidence: [] });
  });
});
