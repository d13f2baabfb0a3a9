import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, ended, firstLine, runCli, startCli, type CliProcess } from '../testing/run-cli.js';

describe('palimpsest keys, beside palimpsest start', () => {
  let folder: string;
  let server: CliProcess;
  let url: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'palimpsest-keys-'));
    server = startCli(['start', '--port', '0', '--json'], { cwd: folder });
    url = (JSON.parse(await firstLine(server)) as { url: string }).url;
  });
  afterAll(async () => {
    await endAll();
    rmSync(folder, { recursive: true, force: true });
  });

  const keys = (...args: string[]) => runCli(['keys', ...args], { cwd: folder });
  const status = async (key: string): Promise<number> =>
    (await fetch(`${url}/v1/runs`, { headers: { authorization: `Bearer ${key}` } })).status;

  it('makes a key that opens, rotates it, and ends it', async () => {
    const created = await keys('create', '--name', 'ci', '--scopes', 'runs:read');
    expect(created.code).toBe(0);
    const key = created.out.trim();
    expect(await status(key)).toBe(200);
    const rotated = await keys('rotate', key.slice(4, 16), '--grace', '0s', '--json');
    const successor = JSON.parse(rotated.out) as { key: string; keyId: string };
    expect([await status(key), await status(successor.key)]).toEqual([401, 200]);
    expect(await keys('revoke', successor.keyId)).toMatchObject({ code: 0 });
    expect(await status(successor.key)).toBe(401);
    const list = await keys('list');
    expect(list.out.split('\n')[0]).toMatch(/^id +tenant +name +kind +created +expires +revoked +scopes$/);
    expect(list.out).not.toContain('pal_');
  });

  it('teaches how it is used', async () => {
    for (const word of ['create', 'list', 'rotate', 'revoke']) {
      const help = await keys(word, '--help');
      expect([word, help.code]).toEqual([word, 0]);
      expect(help.out).toContain(`Usage: palimpsest keys ${word}`);
      expect(help.out.split('\n').filter((line) => line.length > 90)).toEqual([]);
    }
    expect(await keys('create', '--name', 'x')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--scopes'),
    });
    expect(await keys()).toMatchObject({ code: 2 });
    const unknown = 'A key is named by its id: npx palimpsest keys list\n';
    for (const word of ['rotate', 'revoke'])
      expect(await keys(word, 'nope')).toMatchObject({ code: 3, err: expect.stringContaining(unknown) });
  });

  it('says so where nothing runs any more', async () => {
    const end = ended(server);
    server.kill('SIGINT');
    expect((await end).code).toBe(0);
    expect(await keys('list')).toMatchObject({ code: 3, err: expect.stringContaining('palimpsest start') });
  });
});
