import type { SummarizedMessage } from '@palimpsest/kernel';
import fc from 'fast-check';
import { extractFacts, textFacts } from './extract-facts.js';
import { FACTS_PER_MESSAGE } from './fact-collector.js';

function found(text: string, source: 'user' | 'assistant' | 'call' | 'result' = 'result'): string[] {
  return textFacts(text, source, 'tool').map(({ label, value }) => `${label}: ${value}`);
}

describe('extractFacts', () => {
  it('reads the leaves of structured results with their keys', () => {
    const json = '{"order": {"id": "ORD-2291-X", "total": 129.50, "paid": true}, "notes": []}';
    expect(found(json)).toEqual([
      'order.id: ORD-2291-X',
      'ORD-2291-X total: 129.50',
      'ORD-2291-X paid: true',
    ]);
  });

  it('says which record a figure belongs to', () => {
    const json = '[{"sku": "KB-104", "stock": 7}, {"sku": "KB-205", "stock": 0}]';
    expect(found(json)).toEqual(['sku: KB-104', 'KB-104 stock: 7', 'sku: KB-205', 'KB-205 stock: 0']);
  });

  it('takes keys that are identifiers for values', () => {
    expect(found('{"cards": {"card_88121": {"id": "card_88121", "brand": "visa"}}}')).toEqual([
      'cards: card_88121',
      'brand: visa',
    ]);
  });

  it('reads what is only near JSON: single quotes, a cut-off end, several values', () => {
    expect(found("{'job': 'build-7712', 'ok': True}")).toEqual(['job: build-7712', 'build-7712 ok: True']);
    expect(found('{"job": "build-7712", "logs": ["a.log", "b.l')).toContain('job: build-7712');
    expect(found('{"n": "A-1x9"}\n{"n": "B-2x9"}')).toEqual(expect.arrayContaining(['n: A-1x9', 'n: B-2x9']));
  });

  it('keeps figures as they are written', () => {
    expect(found('{"big": 90071992547409931234, "tiny": 1e-400, "zero": -0}')).toEqual([
      'big: 90071992547409931234',
      'tiny: 1e-400',
      'zero: -0',
    ]);
  });

  it.each([
    ['My user id is jo_lind_4471.', 'user id: jo_lind_4471'],
    ['Total price: $1,204.50', 'Total price: $1,204.50'],
    ['It weighs 30 kg', 'weighs: 30 kg'],
    ['see src/app/main.ts:42 there', 'see: src/app/main.ts:42'],
    ['Docs are at https://example.org/a?b=1#c', 'Docs: https://example.org/a?b=1#c'],
    ['write to ana.perez@example.org please', 'write: ana.perez@example.org'],
    ['due 2031-05-20', 'due: 2031-05-20'],
    ['the meeting on May 20th, 2031 stands', 'meeting: May 20th, 2031'],
    ['commit 9f8e7d6c5b4a3f2e', 'commit: 9f8e7d6c5b4a3f2e'],
    ['ticket PAY-1182 is open', 'ticket: PAY-1182'],
    ['calls parseConfig() first', 'calls: parseConfig'],
    ['id 123e4567-e89b-12d3-a456-426614174000', 'id: 123e4567-e89b-12d3-a456-426614174000'],
    ['用户编号是usr_77812。', 'tool: usr_77812'],
  ])('finds the value in %j', (text, fact) => {
    expect(found(text, 'assistant')).toContain(fact);
  });

  it('keeps error lines and commands of tool output', () => {
    const output = '$ npm run build\nTypeError: cannot read "x" of undefined\n    at run (src/run.js:10:3)';
    expect(found(output)).toEqual(
      expect.arrayContaining(['command: npm run build', 'error: TypeError: cannot read "x" of undefined']),
    );
  });

  it('keeps what a user rules and what was decided, without courtesies', () => {
    const text = 'Hi! Please, the report must never leave the EU region. We agreed on Postgres.';
    const spoken = textFacts(text, 'user', '').filter(({ kind }) => kind === 'rule' || kind === 'decision');
    expect(spoken.map(({ kind, value }) => [kind, value])).toEqual([
      ['rule', 'the report must never leave the EU region'],
      ['decision', 'We agreed on Postgres'],
    ]);
  });

  it('does not take a lack of knowledge or a question for a rule', () => {
    const text = "I don't remember the number. Would you like to proceed? I can't find it.";
    expect(textFacts(text, 'user', '').filter(({ kind }) => kind === 'rule')).toEqual([]);
  });

  it('reads arguments of calls and what is inside long ones', () => {
    const message: SummarizedMessage = {
      sequence: 4,
      role: 'assistant',
      text: '',
      toolCalls: [
        {
          id: 'c',
          name: 'edit',
          arguments: '{"path":"src/a.ts","text":"import x\\nfrom \'./b/c.ts\' end\\n"}',
        },
      ],
    };
    expect(extractFacts(message).facts.map(({ value }) => value)).toEqual(
      expect.arrayContaining(['src/a.ts', './b/c.ts']),
    );
  });

  it('skips base64 and its like', () => {
    const blob = Buffer.from(Array.from({ length: 3000 }, (_, index) => (index * 97) % 256)).toString(
      'base64',
    );
    expect(found(`image: ${blob} page: cover.png`)).toEqual(['page: cover.png']);
  });

  it('never gives more than its limit, and prefers telling kinds', () => {
    const rows = Array.from({ length: 20_000 }, (_, index) => `{"count": ${index}}`).join('\n');
    const facts = textFacts(`${rows}\n{"order": "ZX-88121-Q"}`, 'result', '');
    expect(facts.length).toBeLessThanOrEqual(FACTS_PER_MESSAGE);
    expect(facts.map(({ value }) => value)).toContain('ZX-88121-Q');
  });
});

describe('any text', () => {
  const pieces = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom(
      '{"a":',
      "['",
      '": "',
      '\\"',
      '\\u00e9',
      '[[[[',
      'key: ',
      'May 20',
      'a_b_12',
      '$1,200',
      '\n',
      '🧑‍🚀',
      '漢字',
    ),
  );
  const text = fc.array(pieces, { maxLength: 24 }).map((parts) => parts.join(''));

  it('leaves out a value that stands nowhere as it was read', () => {
    const source = `'[5.7136656093005e-311,{"     ":{"  \`    \\\\ ":false," ":"  \`'"}}]`;
    for (const { value } of textFacts(source, 'user', 'tool')) expect(source).toContain(value);
  });

  it('gives values that stand in it word by word, well formed', () => {
    fc.assert(
      fc.property(text, fc.constantFrom('user', 'assistant', 'call', 'result'), (source, speaker) => {
        for (const { value, label } of textFacts(source, speaker, 'tool')) {
          expect(source).toContain(value);
          expect(value.isWellFormed() || !source.isWellFormed()).toBe(true);
          expect(label).not.toMatch(/[\n;,:]/);
        }
      }),
      { numRuns: 500 },
    );
  });

  // Each would take minutes if any step looked back; the runner's own limit is the bound.
  it.each([
    ['one letter', 'a'],
    ['words', 'ab '],
    ['opening brackets', '['],
    ['nested objects', '{"a":'],
    ['open strings', '{"a'],
    ['escapes', '\\"'],
    ['quotation marks', '"'],
    ['key-like', 'password='],
    ['scheme-like', 'a.b://'],
    ['blanks', ' '],
    ['line feeds', '\n'],
    ['dots', 'a.'],
    ['slashes', 'a/'],
    ['backticks', '` '],
    ['key block beginnings', '-----BEGIN PRIVATE KEY-----'],
    ['colons', 'a: '],
    ['emoji', '🧑‍🚀'],
    ['Han', '漢'],
    ['list items', '- 1. x: y\n'],
    ['jdbc', 'jdbc:'],
    ['quoted list', "['a', "],
  ])('reads 256 KiB of %s', (_, unit) => {
    const huge = unit.repeat(Math.ceil((256 * 1024) / unit.length));
    for (const source of ['user', 'result'] as const) {
      expect(textFacts(huge, source, '').length).toBeLessThanOrEqual(FACTS_PER_MESSAGE);
    }
  });
});
