import { definitionOf } from '../testing/definitions.js';
import { KnownDefinitions } from './known-definitions.js';

function knownDefinitions(mostVersions: number) {
  const asked: string[] = [];
  const version = (digest: string) => {
    asked.push(digest);
    return Promise.resolve(digest === 'none' ? undefined : { digest, definition: definitionOf('w') });
  };
  return {
    asked,
    known: new KnownDefinitions({ version, inForce: () => Promise.resolve(undefined) }, mostVersions),
  };
}

describe('known definitions', () => {
  it('are read once, and are the same object each time', async () => {
    const { asked, known } = knownDefinitions(2);
    expect(await known.version('a')).toBe(await known.version('a'));
    expect(asked).toEqual(['a']);
  });

  it('are asked for again where they were not there', async () => {
    const { asked, known } = knownDefinitions(2);
    expect(await known.version('none')).toBeUndefined();
    expect(await known.version('none')).toBeUndefined();
    expect(asked).toEqual(['none', 'none']);
  });

  it('are bounded: those used last stay', async () => {
    const { asked, known } = knownDefinitions(2);
    for (const digest of ['a', 'b', 'a', 'c', 'a', 'b']) await known.version(digest);
    expect(asked).toEqual(['a', 'b', 'c', 'b']);
  });
});
