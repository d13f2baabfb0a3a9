import { alternativesOf, SURPRISE, sitesOf, type Site } from './body-sites.js';
import { accepts, isFields, type JsonSchema } from './json-schema.js';
import { jsonText, Literal, valueAt, withoutField, withValue } from './json-text.js';

export const BODY_CLASSES = [
  'wrong types',
  'missing fields',
  'extra fields',
  'out of range',
  'huge values',
  'hostile text',
  'prototype keys',
] as const;

export type BodyClass = (typeof BODY_CLASSES)[number];

export type BodyCase = {
  readonly class: BodyClass;
  /** Place and kind of the mistake; nothing of the body's content. */
  readonly label: string;
  readonly text: string;
  /** False: nothing forbids it. It may be taken, or be refused by a rule that no schema tells. */
  readonly refused: boolean;
};

export type BodySource = {
  readonly schema: JsonSchema;
  /** A body that would be taken; every case differs from it, or from one with more fields, in one place. */
  readonly body: unknown;
  /** Names of fields whose text is kept or repaired, whatever it holds. */
  readonly freeText?: readonly string[];
};

/** Every mistake that a body's schema knows, one per body. The same for the same document. */
export function badBodies(source: BodySource): readonly BodyCase[] {
  const sites = sitesOf(source.schema, source.body);
  const cases = sites.flatMap((site) => [
    ...missingFields(site),
    ...outOfRange(site),
    ...wrongTypes(site),
    ...extraFields(site),
    ...hugeValues(site),
    ...hostileText(site, source.freeText ?? []),
    ...prototypeKeys(site),
  ]);
  return distinct(cases.map((draft) => judged(draft, source.schema)));
}

/** What a rule beside the schema says: it has to be refused, or nothing is known; default: the schema decides. */
type Verdict = 'refused' | 'open';

type Draft = {
  readonly class: BodyClass;
  readonly site: Site;
  readonly what: string;
  readonly body: unknown;
  readonly verdict?: Verdict;
};

function judged({ class: kind, site, what, body, verdict }: Draft, schema: JsonSchema): BodyCase {
  const place = ['body', ...site.path].join('.');
  const text = jsonText(body);
  const refused = verdict === 'refused' || !accepts(schema, body);
  return { class: kind, label: `${place}: ${what}`, text, refused };
}

/** The first of equal texts; a type that the schema takes is no mistake. */
function distinct(cases: readonly BodyCase[]): readonly BodyCase[] {
  const seen = new Set<string>();
  return cases.filter((each) => {
    if (seen.has(each.text)) return false;
    seen.add(each.text);
    return each.refused || !['wrong types', 'missing fields', 'out of range'].includes(each.class);
  });
}

const OF_EACH_TYPE: readonly unknown[] = [null, true, 0, 1.5, '', 'x', '1', [], [1], {}, { a: 1 }];

function wrongTypes(site: Site): readonly Draft[] {
  return OF_EACH_TYPE.map((value) =>
    replaced(site, 'wrong types', { what: `a value of type ${typeName(value)}`, value }),
  );
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

type Replacement = { readonly what: string; readonly value: unknown; readonly verdict?: Verdict };

function replaced(site: Site, kind: BodyClass, { what, value, verdict }: Replacement): Draft {
  const body = withValue(site.body, site.path, value);
  return { class: kind, site, what, body, ...(verdict && { verdict }) };
}

function missingFields(site: Site): readonly Draft[] {
  if (!isFields(valueAt(site.body, site.path))) return [];
  return (site.schema.required ?? []).map((name) => ({
    class: 'missing fields',
    site,
    what: `without ${name}`,
    body: withoutField(site.body, site.path, name),
  }));
}

function extraFields(site: Site): readonly Draft[] {
  if (!isObject(site)) return [];
  return [1, 'text', { a: [] }].map((value) =>
    member(site, 'extra fields', { key: SURPRISE, what: `an unknown ${typeName(value)}`, value }),
  );
}

function isObject({ schema, path, body }: Site): boolean {
  return schema.type === 'object' || (schema.properties !== undefined && isFields(valueAt(body, path)));
}

function isOpen({ schema }: Site): boolean {
  return schema.type === undefined && alternativesOf(schema).length === 0 && schema.allOf === undefined;
}

function member(site: Site, kind: BodyClass, given: Replacement & { readonly key: string }): Draft {
  const { key, what, value, verdict } = given;
  const body = withValue(site.body, [...site.path, key], value);
  return { class: kind, site, what, body, ...(verdict && { verdict }) };
}

function outOfRange(site: Site): readonly Draft[] {
  const values = [...wrongNumbers(site), ...wrongTexts(site), ...wrongLists(site)];
  return values.map(([what, value]) => replaced(site, 'out of range', { what, value }));
}

type Named = readonly [string, unknown];

function wrongNumbers({ schema: { minimum, maximum = Infinity } }: Site): readonly Named[] {
  return [
    ...(minimum === undefined ? [] : [['below the minimum', minimum - 1] as const]),
    ...(maximum >= Number.MAX_SAFE_INTEGER ? [] : [['above the maximum', maximum + 1] as const]),
  ];
}

function wrongTexts({ schema }: Site): readonly Named[] {
  const { minLength = 0, maxLength, pattern } = schema;
  const isListed = schema.enum !== undefined || schema.const !== undefined;
  return [
    ...(isListed ? [['something of no list', 'of-no-list'] as const] : []),
    ...(minLength === 0 ? [] : [['too short a text', 'x'.repeat(minLength - 1)] as const]),
    ...(maxLength === undefined ? [] : [['too long a text', 'x'.repeat(maxLength + 1)] as const]),
    ...(pattern === undefined ? [] : [['a text off the pattern', ' \n!'] as const]),
  ];
}

function wrongLists(site: Site): readonly Named[] {
  const { minItems = 0, maxItems } = site.schema;
  return [
    ...(minItems === 0 ? [] : [['too short a list', []] as const]),
    ...(maxItems === undefined ? [] : [['too long a list', tooLongList(site, maxItems)] as const]),
  ];
}

function tooLongList(site: Site, maxItems: number): readonly unknown[] {
  const [item] = (valueAt(site.body, site.path) as readonly unknown[] | undefined) ?? [];
  return Array.from({ length: maxItems + 1 }, () => item ?? 'x');
}

/** Numbers that JavaScript would read as others, and nesting that readers recurse into. */
const UNREADABLE: readonly (readonly [string, string])[] = [
  ['1e400', '1e400'],
  ['-1e400', '-1e400'],
  ['1e-400', '1e-400'],
  ['2^53+1', '9007199254740993'],
  ['-0', '-0'],
  ['nested lists', `${'['.repeat(200)}${']'.repeat(200)}`],
  ['nested objects', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`],
];

const HUGE_LENGTH = 70_000;

function hugeValues(site: Site): readonly Draft[] {
  const literals = UNREADABLE.map(([what, text]): Replacement => ({
    what,
    value: new Literal(text),
    verdict: 'refused',
  }));
  const long = { what: 'a long text', value: 'x'.repeat(HUGE_LENGTH) };
  const drafts = [...literals, long].map((each) => replaced(site, 'huge values', each));
  if (!isObject(site)) return drafts;
  return [
    ...drafts,
    member(site, 'huge values', { key: 'k'.repeat(HUGE_LENGTH), what: 'a long key', value: 1 }),
  ];
}

const UNSTORABLE: readonly (readonly [string, string])[] = [
  ['NUL', 'a\u0000b'],
  ['a lone high surrogate', 'a\ud800b'],
  ['a lone low surrogate', '\udc00'],
];

function hostileText(site: Site, freeText: readonly string[]): readonly Draft[] {
  const name = site.path.findLast((step) => typeof step === 'string');
  const free = name !== undefined && freeText.includes(String(name));
  const verdict: Verdict = free ? 'open' : 'refused';
  const texts = [site.schema.type].flat().includes('string') || isOpen(site) ? UNSTORABLE : [];
  const keys = isObject(site) ? UNSTORABLE : [];
  // What a record keeps has to be storable; an unknown key of an object that is no record is passed over.
  const keyVerdict: Verdict = isFields(site.schema.additionalProperties) ? 'refused' : 'open';
  return [
    ...texts.map(([what, value]) => replaced(site, 'hostile text', { what, value, verdict })),
    ...keys.map(([what, key]) =>
      member(site, 'hostile text', { key, what: `${what} in a key`, value: 1, verdict: keyVerdict }),
    ),
  ];
}

const PROTOTYPE_KEYS = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

function prototypeKeys(site: Site): readonly Draft[] {
  if (!isObject(site) && !isOpen(site)) return [];
  return PROTOTYPE_KEYS.flatMap((key) =>
    [1, { polluted: true }].map((value) =>
      member(site, 'prototype keys', {
        key,
        what: `the key ${key}`,
        value,
        // Of all keys this one is dropped on the way by whoever copies an object: taken, it would be lost.
        ...(key === '__proto__' && { verdict: 'refused' as const }),
      }),
    ),
  );
}
