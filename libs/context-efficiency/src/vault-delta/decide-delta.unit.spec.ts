import { judged } from '../testing/judged.js';
import { hashOfDelta, isSameContent, readDelta } from './knowledge-delta.js';
import { normalTarget, normalText } from './normal-form.js';

const decide = (input: unknown): unknown => judged('vault-delta', { input });
const DELTA = { category: 'Decision', title: 'Stream owner', content: 'One writer per stream.' };
const HASH = '1cda25a9aecca8f9aadc3589ec7f107fc9626073f39c8827efd058474a1ee366';
const EMPTY = { action: 'skip', reason: 'EMPTY_DELTA' };
const DUPLICATE = { action: 'skip', reason: 'SEMANTIC_DUPLICATE' };
const BATCH = { action: 'batch', reason: 'NORMAL_DELTA' };
const amend = (KnowledgeId: string): object => ({
  action: 'amend',
  reason: 'SEMANTIC_IDENTITY_CHANGED',
  KnowledgeId,
});
const update = (KnowledgeId: string): object => ({
  action: 'update',
  reason: 'SUPERSESSION_CHANGED',
  KnowledgeId,
});
const flush = (reason: string): object => ({ action: 'flush', reason });
const REQUIRED = 'VAULT_TARGET_REQUIRED';
const AMBIGUOUS = 'VAULT_TARGET_AMBIGUOUS';
const BAD = 'INVALID_REQUEST';

describe('normal form (§10.1)', () => {
  it.each([
    ['One writer, per stream.', 'one writer per stream'],
    ['  One\t\nwriter\u00a0 per  stream ', 'one writer per stream'],
    ['“well-known” (it’s)', 'well known it s'],
    ['ＦＵＬＬ ﬁne', 'full fine'],
    ['x > 3', 'x > 3'],
    ['x < 3', 'x < 3'],
    ['-3', '-3'],
    ['- 3', '3'],
    ['3.5', '3.5'],
    ['3,', '3,'],
    ['v1.2.', 'v1.2.'],
    ['a.b', 'a b'],
    ['a_b', 'a b'],
    ['½.', '1⁄2.'],
    ['Ⅳ, x', 'iv x'],
    ['٣.', '٣.'],
    ['100 %', '100'],
    ['100%', '100%'],
    ['a=b', 'a=b'],
    ['😀', '😀'],
    ['...', ''],
    ['cafe\u0301', 'caf\u00e9'],
    ['a\u0000b\u200bc', 'a b c'],
    ['İ', 'i\u0307'],
  ])('of %p is %p', (text, expected) => expect(normalText(text)).toBe(expected));

  it('of a target keeps its case and its punctuation', () => expect(normalTarget('  Ｋ-1.A ')).toBe('K-1.A'));

  it('has the golden hash', () => {
    expect(hashOfDelta(readDelta(DELTA))).toBe(HASH);
    const same = { category: 'DECISION!', title: '“stream owner”', content: 'one\nwriter, per stream' };
    expect(hashOfDelta(readDelta({ ...same, source_hash: 'x', KnowledgeId: 'k' }))).toBe(HASH);
    expect(hashOfDelta(readDelta({ ...DELTA, semantic_key: '', supersedes: ' ' }))).toBe(HASH);
    expect(hashOfDelta(readDelta({ ...DELTA, semantic_key: 'k' }))).not.toBe(HASH);
    expect(isSameContent(readDelta({ ...DELTA, supersedes: 'k' }), readDelta(DELTA))).toBe(true);
  });
});

describe('skipped (§10.2, rows 1 to 4)', () => {
  it.each(['LOUD', '', ' ', 5, true, [], {}])('no severity %p, whatever else', (severity) =>
    expect(decide({ severity, delta: { title: 5 } })).toBe('INVALID_SEVERITY'),
  );
  it.each(['category', 'title', 'content', 'semantic_key'])('no %s of another type', (name) => {
    for (const value of [5, false, [], {}]) expect(decide({ delta: { ...DELTA, [name]: value } })).toBe(BAD);
  });

  it.each([
    [{}],
    [{ delta: null }],
    [{ delta: 'text' }],
    [{ delta: [DELTA] }],
    [{ delta: { category: 'correction', semantic_key: 'k' } }],
    [{ delta: { title: '…', content: ' -- ' } }],
    [{ delta: { supersedes: 5 } }],
    [{ delta: { supersedes: ' ' } }],
    [{ delta: {}, explicit_save: true, severity: 'HIGH', previous_deltas: 'x', previous_hashes: 5 }],
  ])('empty: %j', (input) => expect(decide(input)).toEqual(EMPTY));

  it('not empty with a target alone', () => expect(decide({ delta: { supersedes: 'k-1' } })).toEqual(BATCH));

  it.each(['x', 5, {}, false])('no list %p', (list) => {
    expect(decide({ delta: DELTA, previous_deltas: list })).toBe(BAD);
    expect(decide({ delta: DELTA, previous_hashes: list })).toBe(BAD);
  });
  it('null lists are empty', () =>
    expect(decide({ delta: DELTA, previous_deltas: null, previous_hashes: null })).toEqual(BATCH));

  it('known by its hash, whatever is asked for', () => {
    const asked = { delta: DELTA, explicit_save: true, severity: 'CRITICAL' };
    expect(decide({ ...asked, previous_hashes: ['x', HASH] })).toEqual(DUPLICATE);
    expect(decide({ ...asked, previous_hashes: [HASH.toUpperCase(), `sha256:${HASH}`, 5] })).toEqual(
      flush('EXPLICIT_SAVE'),
    );
    expect(decide({ ...asked, previous_deltas: [null, DELTA] })).toEqual(DUPLICATE);
  });
  it('said before under another key or target', () => {
    const said = { ...DELTA, semantic_key: 'k', supersedes: 'old' };
    expect(
      decide({ delta: said, previous_deltas: [{ ...DELTA, semantic_key: 'k', KnowledgeId: 'a' }] }),
    ).toEqual(DUPLICATE);
  });
  it.each([
    ['x > 3', 'x < 3'],
    ['-3', '3'],
    ['3.5', '35'],
  ])('not where %p became %p', (before, after) =>
    expect(decide({ delta: { content: after }, previous_deltas: [{ content: before }] })).toEqual(BATCH),
  );
  it('a previous delta is read alike', () =>
    expect(decide({ delta: DELTA, previous_deltas: [{ title: 5 }] })).toBe(BAD));
});

describe('amended and updated (rows 5 and 6, §10.3)', () => {
  const keyed = { ...DELTA, semantic_key: 'Stream-Owner' };
  const before = { title: 'Owner', content: 'Two writers.', semantic_key: 'stream owner' };
  const superseding = { ...DELTA, supersedes: 'k-1' };

  it.each([
    ['by KnowledgeId', [{ ...before, KnowledgeId: ' k-1 ' }], amend('k-1')],
    ['by knowledgeId', [{ ...before, knowledgeId: 'k-1' }], amend('k-1')],
    ['by knowledge_id', [{ ...before, knowledge_id: 'k-1' }], amend('k-1')],
    ['a blank beside it', [{ ...before, KnowledgeId: ' ', knowledge_id: 'k-1' }], amend('k-1')],
    ['a number beside it', [{ ...before, KnowledgeId: 5, knowledge_id: 'k-1' }], amend('k-1')],
    ['no identity', [before], REQUIRED],
    ['a number', [{ ...before, KnowledgeId: 5 }], REQUIRED],
    ['two names, alike', [{ ...before, KnowledgeId: 'k-1', knowledgeId: 'k-1' }], AMBIGUOUS],
    [
      'two names of one that does not match',
      [
        { ...before, KnowledgeId: 'k-1' },
        { content: 'x', KnowledgeId: 'a', knowledgeId: 'b' },
      ],
      amend('k-1'),
    ],
    [
      'two matches, one identity',
      [
        { ...before, KnowledgeId: 'k-1' },
        { ...before, KnowledgeId: 'k-1' },
      ],
      AMBIGUOUS,
    ],
    [
      'two matches, two identities',
      [
        { ...before, KnowledgeId: 'k-1' },
        { ...before, KnowledgeId: 'k-2' },
      ],
      AMBIGUOUS,
    ],
    ['two matches, one without', [before, { ...before, KnowledgeId: 'k-1' }], AMBIGUOUS],
    ['two matches, both without', [before, before], REQUIRED],
    ['another key', [{ ...before, semantic_key: 'other' }], BATCH],
    [
      'inherited names',
      [JSON.parse(JSON.stringify(before).replace('{', '{"__proto__":{"KnowledgeId":"k"},'))],
      REQUIRED,
    ],
  ])('same key: %s', (_, previous_deltas, expected) =>
    expect(decide({ delta: { ...keyed, KnowledgeId: 'own' }, previous_deltas })).toEqual(expected),
  );

  it.each([
    ['its identity', [{ content: 'x', KnowledgeId: 'k-1' }], update('k-1')],
    ['its identity in another case', [{ content: 'x', KnowledgeId: 'K-1' }], BATCH],
    ['the same target', [{ content: 'x', supersedes: 'k-1', KnowledgeId: 'k-2' }], update('k-2')],
    [
      'the same target in another category',
      [{ category: 'other', content: 'x', supersedes: ' k-1', KnowledgeId: 'k-2' }],
      update('k-2'),
    ],
    ['the same target, no identity', [{ content: 'x', supersedes: 'k-1' }], REQUIRED],
    [
      'both',
      [
        { content: 'x', KnowledgeId: 'k-1' },
        { content: 'y', supersedes: 'k-1', KnowledgeId: 'k-2' },
      ],
      AMBIGUOUS,
    ],
    [
      'two names of one that does not match',
      [{ content: 'x', KnowledgeId: 'a', knowledge_id: 'b' }],
      AMBIGUOUS,
    ],
    ['neither', [{ content: 'x', KnowledgeId: 'k-2', supersedes: 'k-3' }], BATCH],
  ])('supersedes %s', (_, previous_deltas, expected) =>
    expect(decide({ delta: superseding, previous_deltas })).toEqual(expected),
  );

  it('amends before it updates, and both before it flushes', () => {
    const previous_deltas = [
      { ...before, KnowledgeId: 'k-2' },
      { content: 'x', KnowledgeId: 'k-1' },
    ];
    const delta = { ...keyed, supersedes: 'k-1', category: 'correction' };
    const urgent = { explicit_save: true, severity: 'HIGH' };
    expect(decide({ delta, previous_deltas, ...urgent })).toEqual(amend('k-2'));
    expect(decide({ delta: { ...delta, semantic_key: null }, previous_deltas, ...urgent })).toEqual(
      update('k-1'),
    );
  });
});

describe('flushed or batched (rows 7 to 11)', () => {
  it.each([
    [
      'asked to',
      { explicit_save: true, interruption_sensitive: true, severity: 'HIGH' },
      flush('EXPLICIT_SAVE'),
    ],
    ['asked to, by any truthy value', { explicit_save: 'no' }, flush('EXPLICIT_SAVE')],
    [
      'about to be interrupted',
      { interruption_sensitive: 1, severity: 'HIGH' },
      flush('INTERRUPTION_SENSITIVE'),
    ],
    [
      'of high severity',
      { severity: ' high\n', delta: { ...DELTA, category: 'correction' } },
      flush('HIGH_RISK'),
    ],
    ['of critical severity', { severity: 'Critical' }, flush('HIGH_RISK')],
    ['a correction', { delta: { ...DELTA, category: ' Correction. ' } }, flush('DURABILITY_REQUIRED')],
    [
      'a deprecation',
      { delta: { ...DELTA, category: 'DEPRECATION' }, severity: 'LOW' },
      flush('DURABILITY_REQUIRED'),
    ],
    ['corrections', { delta: { ...DELTA, category: 'corrections' } }, BATCH],
    ['of medium severity', { severity: 'medium', explicit_save: '', interruption_sensitive: 0 }, BATCH],
    ['nothing special', {}, BATCH],
  ])('%s', (_, input, expected) => expect(decide({ delta: DELTA, ...input })).toEqual(expected));

  it.each([null, [], 'x', undefined])('refuses the input %p', (input) => expect(decide(input)).toBe(BAD));
});
