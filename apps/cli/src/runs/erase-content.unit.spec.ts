import type { PalimpsestApi } from '../client/palimpsest-api.js';
import { Output } from '../output/output.js';
import type { Session } from '../program/session.js';
import { eraseContent, type EraseOptions } from './erase-content.js';

type Asked = { readonly runId: string; readonly artifactId?: string };

/** What a command printed, and what it asked a server that erases all it is asked to. */
function surroundings(kept = 0) {
  const asked: Asked[] = [];
  const printed = { out: '', err: '' };
  const api: Partial<PalimpsestApi> = {
    eraseArtifact: async (runId, artifactId) => {
      asked.push({ runId, artifactId });
      return { artifactIds: [artifactId, 'art_summary'] };
    },
    eraseContent: async (runId) => {
      asked.push({ runId });
      return { runId, erased: 1200, kept };
    },
  };
  const session: Session = {
    output: new Output(
      { write: (text) => (printed.out += text) },
      { write: (text) => (printed.err += text) },
      {},
    ),
    environment: {},
    api: async () => api as PalimpsestApi,
  };
  return { asked, printed, session };
}

const YES: EraseOptions = { yes: true };

describe('palimpsest erase', () => {
  it.each([undefined, 'art_said'])('asks nobody for anything without --yes (%s)', async (artifactId) => {
    const { asked, session } = surroundings();
    const erasing = eraseContent({ runId: 'run_a', artifactId }, {}, session);
    await expect(erasing).rejects.toMatchObject({ exitCode: 2, hint: expect.stringContaining('--yes') });
    expect(asked).toEqual([]);
  });

  it('erases an artifact, and names all that went with it', async () => {
    const { asked, printed, session } = surroundings();
    await eraseContent({ runId: 'run_a', artifactId: 'art_said' }, YES, session);
    expect(asked).toEqual([{ runId: 'run_a', artifactId: 'art_said' }]);
    expect(printed).toEqual({
      out: 'art_said  erased\nart_summary  erased\n',
      err: '1 of these stood for art_said.\n',
    });
  });

  it.each([
    [0, ''],
    [3, '3 are used by other runs; they go when the last of these is erased.\n'],
  ])('erases what a run said, and says that other runs use %i of it', async (kept, err) => {
    const { asked, printed, session } = surroundings(kept);
    await eraseContent({ runId: 'run_a', artifactId: undefined }, YES, session);
    expect(asked).toEqual([{ runId: 'run_a' }]);
    expect(printed).toEqual({ out: 'run_a  1,200 pieces of content erased now\n', err });
  });

  it.each([
    ['art_said', { artifactIds: ['art_said', 'art_summary'] }],
    [undefined, { runId: 'run_a', erased: 1200, kept: 2 }],
  ])('prints the answer as JSON (%s)', async (artifactId, answer) => {
    const { printed, session } = surroundings(2);
    await eraseContent({ runId: 'run_a', artifactId }, { ...YES, json: true }, session);
    expect(JSON.parse(printed.out)).toEqual(answer);
  });
});
