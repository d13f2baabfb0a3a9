import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InProcessBus } from '@palimpsest/adapter-memory';
import { createPool, PostgresStreamStore } from '@palimpsest/adapter-postgres';
import { findLocalDatabase } from '@palimpsest/app-all-in-one';
import { STREAMS, summarizeSubject } from '@palimpsest/contracts';
import { waitUntil } from '@palimpsest/kernel/testing';
import { endAll, ended, firstLine, runCli, startCli, type CliProcess } from '../testing/run-cli.js';

describe('palimpsest dlq, beside palimpsest start', () => {
  let folder: string;
  let server: CliProcess;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-dlq-'));
    server = startCli(['start', '--port', '0', '--json'], { cwd: folder });
    await firstLine(server);
  });
  afterAll(async () => {
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const dlq = (...args: string[]) => runCli(['dlq', ...args], { cwd: folder });

  async function publishPoison(): Promise<void> {
    const pool = createPool(findLocalDatabase(join(folder, '.palimpsest')) ?? '', {
      applicationName: 'spec',
      maxConnections: 1,
    });
    const bus = new InProcessBus({ store: new PostgresStreamStore(pool) });
    const poison = { id: 'poison', subject: summarizeSubject('acme'), body: { jobId: 'poison' } };
    await bus.publish(STREAMS.summarize, poison);
    await bus.close();
    await pool.end();
  }

  async function letters(): Promise<readonly { readonly id: string }[]> {
    const { out } = await dlq('list', '--json');
    return (JSON.parse(out) as { deadLetters: { id: string }[] }).deadLetters;
  }

  it('lists, shows, retries and drops what no worker could do', async () => {
    expect(await dlq('list')).toMatchObject({ code: 0, err: 'No dead letters.\n' });
    await publishPoison();
    await waitUntil(async () => (await letters()).length === 1, { withinMs: 60_000 });
    const shown = await dlq('show', 'poison');
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining('validation_error') });
    expect(await dlq('retry', 'poison')).toMatchObject({ code: 0, out: '1 message retried.\n' });
    await waitUntil(async () => (await letters()).some(({ id }) => id.startsWith('poison~')), {
      withinMs: 60_000,
    });
    expect(await dlq('drop', '--all', '--stream', 'SUMMARIZE')).toMatchObject({ code: 0 });
    expect(await letters()).toEqual([]);
  });

  it('teaches how it is used', async () => {
    for (const word of ['list', 'show', 'retry', 'drop']) {
      const help = await dlq(word, '--help');
      expect([word, help.code]).toEqual([word, 0]);
      expect(help.out).toContain(`Usage: palimpsest dlq ${word}`);
      expect(help.out.split('\n').filter((line) => line.length > 90)).toEqual([]);
    }
    expect(await dlq()).toMatchObject({ code: 2 });
    expect(await dlq('retry')).toMatchObject({ code: 2, err: expect.stringContaining('--all') });
    expect(await dlq('list', '--stream', 'NONE')).toMatchObject({
      code: 2,
      err: expect.stringContaining('SUMMARIZE'),
    });
    const unknown = await dlq('drop', 'nope');
    expect(unknown).toMatchObject({ code: 3, err: expect.stringContaining('palimpsest dlq list') });
  });

  it('says so where nothing runs any more', async () => {
    const end = ended(server);
    server.kill('SIGINT');
    expect((await end).code).toBe(0);
    expect(await dlq('list')).toMatchObject({ code: 3, err: expect.stringContaining('palimpsest start') });
  });
});
