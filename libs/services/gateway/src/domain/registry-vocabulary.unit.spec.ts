import { z } from 'zod';
import { holdsPrivateValue } from '@palimpsest/context-efficiency';
import * as registry from '@palimpsest/contracts/registry';

type Described = Readonly<Record<string, unknown>>;

/** Names of members at any depth of a schema. */
function fieldsOf(described: unknown): readonly string[] {
  if (typeof described !== 'object' || described === null) return [];
  const { properties = {}, ...rest } = described as { readonly properties?: Described };
  return [
    ...Object.keys(properties),
    ...[...Object.values(properties), ...Object.values(rest)].flatMap(fieldsOf),
  ];
}

const SCHEMAS = Object.values(registry).filter((each) => each instanceof z.ZodType);
const FIELDS = new Set(
  SCHEMAS.flatMap((schema) => fieldsOf(z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }))),
);

describe('what the registry is asked and answers', () => {
  it('has no field whose name alone would be private', () => {
    expect([...FIELDS].filter((name) => holdsPrivateValue({ [name]: null }))).toEqual([]);
  });

  it('is looked at as a whole', () => {
    expect(FIELDS.size).toBeGreaterThan(100);
    for (const name of ['lineageId', 'taskCorpusId', 'evidenceArtifactId', 'meanRepeatedFileReads']) {
      expect(FIELDS).toContain(name);
    }
  });
});
