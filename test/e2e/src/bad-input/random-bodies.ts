import * as fc from 'fast-check';
import { accepts, type JsonSchema } from './json-schema.js';
import { jsonText } from './json-text.js';

export type RandomBody = { readonly label: string; readonly text: string; readonly refused: boolean };

const SEED = 20_261_201;
const COUNT = 40;

/** Any JSON, and objects that hold any JSON under the names that a schema knows. The same each time. */
export function randomBodies(schema: JsonSchema): readonly RandomBody[] {
  const names = Object.keys(schema.properties ?? {});
  const value = fc.jsonValue({ maxDepth: 3 });
  const named = fc.dictionary(fc.constantFrom('a', ...names), value, { maxKeys: names.length + 1 });
  const samples = fc.sample(fc.oneof(value, named), { seed: SEED, numRuns: COUNT });
  return samples.map((sample, index) => ({
    label: `random body ${index + 1}`,
    text: jsonText(sample),
    refused: !accepts(schema, sample),
  }));
}
