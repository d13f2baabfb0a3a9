import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll, ended, runCli, startCli, type CliEnd } from './testing/run-cli.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'palimpsest-cli-'));
});

afterEach(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Most that the whole of it may take on a machine that has much else to do. */
const PATIENCE_MS = 600_000;

/** Everything that the demo puts somewhere lies below its `TMPDIR`. */
const leftBehind = (): string[] => readdirSync(folder).filter((name) => !/^palimpsest-postgres-/.test(name));

describe('palimpsest demo', () => {
  it(
    'shows a run at a budget, replays it, finds nothing different and leaves nothing',
    async () => {
      const demo = await runCli(['demo'], { cwd: folder, env: { TMPDIR: folder } });
      expect(demo.code).toBe(0);
      expect(demo.out).toMatch(/^window +turns +unbounded +window tokens +summaries +not re-sent$/m);
      expect(demo.out).toMatch(/^not re-sent +[\d,]+ tokens {2}\(\d+\.\d %\)$/m);
      expect(demo.out).toMatch(/^windows compared: ([1-9]\d*), differing: 0$/m);
      expect(demo.out).toMatch(/^summarizer calls: 0$/m);
      expect(demo.out).toMatch(/its source asked for [1-9]/);
      expect(demo.out.split('\n').filter((line) => line.length > 80)).toEqual([]);
      expect(leftBehind()).toEqual([]);
    },
    PATIENCE_MS,
  );

  it('ends with 130 on Ctrl-C and leaves nothing', async () => {
    const child = startCli(['demo'], { cwd: folder, env: { TMPDIR: folder } });
    const end: Promise<CliEnd> = ended(child);
    child.stdout.on('data', (chunk: Buffer) => {
      if (/^ +1 /m.test(chunk.toString())) child.kill('SIGINT');
    });
    expect((await end).code).toBe(130);
    expect(leftBehind()).toEqual([]);
  });

  it('says what is wrong with a budget that nothing fits in', async () => {
    const demo = await runCli(['demo', '--budget', '3'], { cwd: folder, env: { TMPDIR: folder } });
    expect(demo.code).toBe(3);
    expect(demo.err).toMatch(/\(context_budget_infeasible\)\n {2}Raise --budget, to \d+ at least\.\n$/);
    expect(demo.out).not.toContain('not re-sent');
    expect(leftBehind()).toEqual([]);
  });
});
