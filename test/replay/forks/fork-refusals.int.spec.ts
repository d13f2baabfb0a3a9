import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { CONTEXT_SUMMARIZED } from '@palimpsest/contracts';
import { MIGRATIONS, PostgresNode, type Answer } from './postgres-node.js';
import { eventsOverHttp, sourceOverHttp } from './source-over-http.js';

const TENANT = 'acme';

let database: TestDatabase;
let node: PostgresNode;
let keys = 0;
beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  node = await PostgresNode.start(database.pool, TENANT);
});
afterAll(async () => {
  await node.close();
  await database.drop();
});

type Standing = {
  readonly runs: number;
  readonly jobs: number;
  readonly links: number;
  readonly kept: number;
};

/** What a fork could leave: a run, a job, a right to read, an answer kept as a success. */
async function standing(): Promise<Standing> {
  const { rows } = await database.pool.query<Standing>(`
    SELECT (SELECT count(*) FROM run_log.runs)::int AS runs,
      (SELECT count(*) FROM replay_coordinator.fork_jobs)::int AS jobs,
      (SELECT count(*) FROM artifact_store.run_sources)::int AS links,
      (SELECT count(*) FROM gateway.idempotency WHERE state NOT IN ('terminal-failure', 'retryable-failure'))::int AS kept`);
  return rows[0] as Standing;
}

type Refusal = { readonly status: number; readonly error: string; readonly details?: object };

/** Refused with and without a key, and the same when the same is asked again; nothing is left behind. */
async function refused(runId: string, json: unknown, { details, ...wanted }: Refusal): Promise<void> {
  const before = await standing();
  keys += 1;
  const url = `/v1/runs/${runId}:fork`;
  const idempotencyKey = `refused-${keys}`;
  for (const ask of [
    { url, json },
    { url, json, idempotencyKey },
    { url, json, idempotencyKey },
  ]) {
    const { status, body } = await node.ask(ask);
    expect({ status, error: body['error'] }).toEqual(wanted);
    if (details) expect(body['details']).toMatchObject(details);
  }
  expect(await standing()).toEqual(before);
}

async function forked(runId: string, json: unknown): Promise<Answer> {
  const answer = await node.ask({ url: `/v1/runs/${runId}:fork`, json });
  expect([answer.status, answer.body['error']]).toEqual([201, undefined]);
  return answer;
}

const BAD = { status: 400, error: 'validation_error' };
const ABSENT = { status: 404, error: 'not_found' };
const UNREADABLE = { status: 409, error: 'replay_context_summary_unavailable' };

describe('a fork that cannot be', () => {
  let source: string;
  let last: number;
  beforeAll(async () => {
    source = await sourceOverHttp(node);
    last = (await eventsOverHttp(node, source)).length - 1;
  });

  it.each([
    ['without a mode', {}],
    ['of a mode that there is not', { mode: 'rewind' }],
    ['of a mode that is no text', { mode: 1 }],
    ['from a negative place', { mode: 'replay', fromSeq: -1 }],
    ['from between two places', { mode: 'branch', fromSeq: 1.5 }],
    ['from a text', { mode: 'branch', fromSeq: '3' }],
    ['from null', { mode: 'branch', fromSeq: null }],
    ['from beyond all numbers', { mode: 'branch', fromSeq: 2 ** 53 }],
    ['as a branch from nowhere', { mode: 'branch' }],
    ['as a replay with other settings', { mode: 'replay', runOptionsOverlay: { tags: ['x'] } }],
    ['with something unknown beside', { mode: 'replay', from: 3 }],
    ['that is no object', []],
  ])('is refused %s', (_, json) => refused(source, json, BAD));

  it.each([
    ['replay', 1],
    ['replay', 1000],
    ['branch', 1],
    ['branch', Number.MAX_SAFE_INTEGER],
  ])('is refused past the end: a %s from %i places behind', async (mode, behind) => {
    const fromSeq = Math.min(last + behind, Number.MAX_SAFE_INTEGER);
    const details = { sourceRunId: source, fromSeq };
    await refused(source, { mode, fromSeq }, { status: 422, error: 'invalid_from_seq', details });
  });

  it('is refused of a run that is not there', async () => {
    await refused('run_nowhere', { mode: 'replay' }, ABSENT);
    await refused('run_nowhere', { mode: 'branch', fromSeq: 4 }, ABSENT);
  });

  it('may be of no other tenant’s run either', async () => {
    const rival = await PostgresNode.start(database.pool, 'rival');
    const { status, body } = await rival.ask({ url: `/v1/runs/${source}:fork`, json: { mode: 'replay' } });
    await rival.close();
    expect({ status, error: body['error'] }).toEqual(ABSENT);
  });
});

describe('of several reasons', () => {
  let source: string;
  beforeAll(async () => {
    source = await sourceOverHttp(node);
    const summary = (await eventsOverHttp(node, source)).find(({ type }) => type === CONTEXT_SUMMARIZED);
    await node.artifacts.erase(TENANT, summary?.payload['summaryRef'] as string);
  });

  it.each([
    ['the run before the request', 'run_nowhere', { mode: 'rewind' }, ABSENT],
    ['the request before the place', undefined, { mode: 'rewind', fromSeq: 10_000 }, BAD],
    [
      'an overlay before the place',
      undefined,
      { mode: 'replay', fromSeq: 10_000, runOptionsOverlay: { tags: ['x'] } },
      BAD,
    ],
    [
      'the place before the summaries',
      undefined,
      { mode: 'replay', fromSeq: 10_000 },
      { status: 422, error: 'invalid_from_seq', details: { fromSeq: 10_000 } },
    ],
    ['the summaries last', undefined, { mode: 'replay' }, { ...UNREADABLE, details: { fromSeq: 0 } }],
  ] as const)('%s', (_, runId, json, wanted) => refused(runId ?? source, json, wanted));
});

describe('a summary', () => {
  const ALTER = `UPDATE artifact_store.artifacts
    SET content = set_byte(content, 12, get_byte(content, 12) # 1) WHERE artifact_id = $1`;
  const LOSE = `DELETE FROM artifact_store.artifacts WHERE artifact_id = $1`;

  it.each<[string, (id: string, runId: string) => Promise<unknown>]>([
    ['altered by one byte', (id) => database.pool.query(ALTER, [id])],
    ['lost', (id) => database.pool.query(LOSE, [id])],
    ['erased', (id, runId) => node.ask({ method: 'DELETE', url: `/v1/runs/${runId}/artifacts/${id}` })],
    ['erased with its run', (_, runId) => node.ask({ method: 'DELETE', url: `/v1/runs/${runId}/content` })],
  ])('that was %s refuses what would feed it, and nothing else', async (_, spoil) => {
    const source = await sourceOverHttp(node);
    const events = await eventsOverHttp(node, source);
    const summaries = events.filter(({ type }) => type === CONTEXT_SUMMARIZED);
    const { sequence = 0, payload } = summaries[0] ?? {};
    await spoil(payload?.['summaryRef'] as string, source);
    for (const fromSeq of [0, sequence]) {
      await refused(source, { mode: 'replay', fromSeq }, { ...UNREADABLE, details: { fromSeq } });
    }
    // behind the summary stands the window that feeds it
    const behind = sequence + 2;
    await refused(
      source,
      { mode: 'branch', fromSeq: behind },
      { ...UNREADABLE, details: { fromSeq: behind } },
    );
    const { body } = await forked(source, { mode: 'branch', fromSeq: sequence });
    expect(await eventsOverHttp(node, body['runId'] as string)).toHaveLength(sequence);
    expect(await eventsOverHttp(node, source)).toEqual(events);
  });

  it('that cannot be read refuses the forks of forks, too', async () => {
    const source = await sourceOverHttp(node);
    const child = (await forked(source, { mode: 'replay' })).body['runId'] as string;
    const summary = (await eventsOverHttp(node, source)).find(({ type }) => type === CONTEXT_SUMMARIZED);
    await database.pool.query(ALTER, [summary?.payload['summaryRef']]);
    await refused(child, { mode: 'replay', fromSeq: 1 }, { ...UNREADABLE, details: { fromSeq: 1 } });
  });
});
