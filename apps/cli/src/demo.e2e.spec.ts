import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { handOffUntil, LoopBrain, startWireServer } from '@palimpsest/adapter-model/testing';
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

  it(
    'shows a loop that the bundled model decides, says so, replays it without a call and leaves nothing',
    async () => {
      const demo = await runCli(['demo', '--loop'], { cwd: folder, env: { TMPDIR: folder } });
      expect(demo.code).toBe(0);
      expect(demo.out).toMatch(/^Model: a server of this process that speaks the wire format/m);
      expect(demo.out).toMatch(/^turn +unbounded +window tokens +summaries +cached +decision$/m);
      expect(demo.out).toMatch(/^ +25 .* terminate$/m);
      expect(demo.out).toMatch(/^every window within 4,000 tokens \(largest [\d,]+\)$/m);
      expect(demo.out).toMatch(/^prefix kept from window to window: \d+\.\d % of their tokens$/m);
      expect(demo.out).toMatch(
        /^as the provider counts: 25 answers, [\d,]+ tokens in \(\d+\.\d % from its cache\)/m,
      );
      expect(demo.out).toMatch(/^model calls: 0\n {2}counted by the server$/m);
      expect(demo.out).toMatch(/^windows compared: 25, differing: 0$/m);
      expect(demo.out.split('\n').filter((line) => line.length > 88)).toEqual([]);
      expect(leftBehind()).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'shows it on the provider that the environment names, and says which',
    async () => {
      const workers = Array.from(
        { length: 24 },
        (_, place) => `report-${String(place + 1).padStart(2, '0')}`,
      );
      const brain = new LoopBrain({ decide: handOffUntil(25, ...workers) });
      const server = await startWireServer({ respond: brain.respond });
      const env = {
        TMPDIR: folder,
        PALIMPSEST_MODEL_PROVIDER: 'anthropic',
        PALIMPSEST_MODEL_BASE_URL: server.baseUrl,
        PALIMPSEST_MODEL_NAME: 'm-1',
        PALIMPSEST_MODEL_API_KEY: 'key-of-nobody',
      };
      const demo = await runCli(['demo', '--loop', '--json'], { cwd: folder, env });
      await server.close();
      expect(demo.code).toBe(0);
      const shown = JSON.parse(demo.out) as Record<string, unknown>;
      const name = `m-1, anthropic at ${new URL(server.baseUrl).host}`;
      expect(shown).toMatchObject({ passed: true, model: { name, isBundled: false } });
      expect(shown).toMatchObject({ calls: { calls: 0 }, usage: { calls: brain.of('decision').length } });
      expect(demo.out + demo.err).not.toContain('key-of-nobody');
    },
    PATIENCE_MS,
  );

  it(
    'stops where the provider cannot be reached, and says which and how',
    async () => {
      const env = {
        TMPDIR: folder,
        PALIMPSEST_MODEL_PROVIDER: 'openai-compatible',
        PALIMPSEST_MODEL_BASE_URL: 'http://127.0.0.1:9/v1',
        PALIMPSEST_MODEL_NAME: 'm-1',
        PALIMPSEST_MODEL_MAX_ATTEMPTS: '1',
      };
      const demo = await runCli(['demo', '--loop'], { cwd: folder, env });
      expect(demo.code).toBe(1);
      expect(demo.err).toMatch(
        /^palimpsest: turn 1: .*outage: connection; asked at http:\/\/127\.0\.0\.1:9\/v1 \(service_unavailable\)$/m,
      );
      expect(demo.out).not.toMatch(/not re-sent|every window within|replay/);
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
