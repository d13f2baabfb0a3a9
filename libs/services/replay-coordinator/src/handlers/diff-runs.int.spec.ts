import { PostgresEventLog, runLogMigrations } from '@palimpsest/adapter-postgres';
import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { runDiffSchema, type RunDiff } from '@palimpsest/contracts';
import { ComparedRunLog, type Step } from '../testing/compared-log.js';
import { TENANT } from '../testing/source-run.js';
import { DiffRunsHandler } from './diff-runs.js';

const TURNS = 1200;

/** Two pages and more of messages, with a window for every hundred. */
const script: readonly Step[] = Array.from({ length: TURNS }, (_, turn): Step[] => [
  { kind: 'message', text: 'abc'[turn % 3] ?? 'a' },
  ...(turn % 100 === 99 ? [{ kind: 'window' as const, turns: 5 }] : []),
]).flat();

let database: TestDatabase;
let log: PostgresEventLog;
let source: ComparedRunLog;

beforeAll(async () => {
  database = await createTestDatabase([runLogMigrations]);
  log = new PostgresEventLog(database.pool);
  source = await (await new ComparedRunLog(log, 'source').start()).go(script);
});
afterAll(() => database.drop());

async function diff(runId: string, otherRunId: string, page = {}): Promise<RunDiff> {
  const query = { tenantId: TENANT, runId, otherRunId, ...page };
  return runDiffSchema.parse(await new DiffRunsHandler(log).handle(query));
}

describe('a comparison on Postgres', () => {
  it('of branches begins where they part', async () => {
    const one = await source.branch('one', source.length);
    const two = await source.branch('two', source.length);
    const same: Step = { kind: 'message', text: 'd' };
    await one.go([same, { kind: 'message', text: 'e' }, { kind: 'window', turns: 1 }]);
    await two.go([same, { kind: 'message', text: 'f' }, { kind: 'window', turns: 1 }]);
    const found = await diff('one', 'two');
    expect(found).toMatchObject({
      identical: false,
      relation: { kind: 'siblings', ancestorRunId: 'source', sharedEvents: source.length },
      firstDivergence: { sequence: source.length + 1, part: 'payload', iteration: 13 },
      fedTokensSaved: 0,
    });
    expect(found.windows.map(({ identical }) => identical)).toEqual([...Array(12).fill(true), false]);
  });

  it('of two logs that were written alike finds nothing', async () => {
    await (await new ComparedRunLog(log, 'twin').start()).go(script);
    const found = await diff('twin', 'source');
    expect(found).toMatchObject({ identical: true, relation: { kind: 'unrelated' } });
    expect(found.windows.filter(({ identical }) => !identical)).toEqual([]);
  });

  it('finds a difference on a later page, and a page of windows in the middle', async () => {
    const other = script.with(TURNS - 1, { kind: 'message', text: 'z' });
    await (await new ComparedRunLog(log, 'nearly').start()).go(other);
    const found = await diff('nearly', 'source', { fromIteration: 11, limit: 1 });
    expect(found.firstDivergence).toMatchObject({ sequence: TURNS, part: 'payload' });
    expect(found.windows.map(({ iteration }) => iteration)).toEqual([11]);
    expect(found.nextIteration).toBe(12);
  });
});
