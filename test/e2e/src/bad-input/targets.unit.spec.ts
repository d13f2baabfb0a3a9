import type { Operation } from './openapi.js';
import { targetOf, UnknownOperationError } from './targets.js';
import type { World } from './world.js';

const operation = (changes: Partial<Operation>): Operation =>
  ({ id: 'brandNew', pathParameters: [], ...changes }) as Operation;

describe('the target of an operation that nobody has written down', () => {
  const nothing = {} as World;

  it('is nothing where it needs nothing', async () => {
    expect(await targetOf(operation({}), nothing)).toEqual({});
  });

  it.each<[string, Partial<Operation>]>([
    ['a parameter', { pathParameters: ['runId'] }],
    ['a body', { body: { schema: {}, required: true } }],
  ])('is asked for where it needs %s', async (_name, changes) => {
    await expect(targetOf(operation(changes), nothing)).rejects.toThrow(UnknownOperationError);
    await expect(targetOf(operation(changes), nothing)).rejects.toThrow(/brandNew is new.*targets\.ts/);
  });
});
