import type { WindowEntry } from '@palimpsest/contracts';
import type { ArtifactReading } from '@palimpsest/kernel';
import { artifactIdsOf, entryMessage, readContents } from './fed-entries.js';

const entry = (changes: Partial<WindowEntry>): WindowEntry => ({
  kind: 'turn',
  eventId: 'e-7',
  sequence: 7,
  turn: 7,
  role: 'user',
  artifactId: 'art_a',
  form: 'full',
  tokens: 1,
  toolCallIds: [],
  ...changes,
});

describe('entries of a window with their texts', () => {
  it('name what has to be read, which nothing elided has', () => {
    const cut = entry({ form: 'cut', artifactId: 'art_cut', messageArtifactId: 'art_whole' });
    expect(artifactIdsOf([entry({}), cut, entry({ form: 'elided', artifactId: 'art_x' })])).toEqual([
      'art_a',
      'art_cut',
      'art_whole',
    ]);
  });

  it('are read in pages, each artifact once', async () => {
    const asked: string[][] = [];
    const get = (_tenantId: string, ids: readonly string[]) => {
      asked.push([...ids]);
      const reading = (id: string) => ({ content: { text: id } }) as unknown as ArtifactReading;
      return Promise.resolve(new Map(ids.map((id) => [id, reading(id)])));
    };
    const ids = Array.from({ length: 450 }, (_, place) => `art_${place}`);
    const contentOf = await readContents({ get }, 'acme', [...ids, ...ids]);
    expect(asked.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(contentOf('art_449')).toEqual({ text: 'art_449' });
  });

  it('are the words of a user where they are pinned, whoever said them', () => {
    const contentOf = <Content>(): Content => ({ role: 'assistant', text: 'turn 1: {}' }) as Content;
    const pinned = entryMessage(entry({ kind: 'pin', role: 'assistant' }), contentOf);
    expect(pinned).toMatchObject({ role: 'user', text: 'assistant: turn 1: {}' });
    expect(entryMessage(entry({ role: 'assistant' }), contentOf)).toMatchObject({
      role: 'assistant',
      text: 'turn 1: {}',
    });
  });
});
