import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import {
  foldOwnLoop,
  MOST_PINS,
  PAYLOAD_BYTES,
  PIN_ADDED,
  RECOUNTED_BYTES,
  RUN_OVERLAID,
  type JsonObject,
  type OwnLoopState,
} from '@palimpsest/contracts';
import { MIGRATIONS, PostgresNode, type Answer } from './postgres-node.js';
import { eventsOverHttp } from './source-over-http.js';

const TENANT = 'acme';
/** The log's counts are integers of 32 bits. */
const GREAT = 2 ** 31 - 1;

let database: TestDatabase;
let node: PostgresNode;
beforeAll(async () => {
  database = await createTestDatabase(MIGRATIONS);
  node = await PostgresNode.start(database.pool, TENANT);
});
afterAll(async () => {
  await node.close();
  await database.drop();
});

/** A run with as many pins as one may have, with the longest ids and great counts. */
async function pinned(): Promise<string> {
  const { body } = await node.ask({ url: '/v1/runs', json: { workflowId: 'palimpsest-external' } });
  const runId = body['runId'] as string;
  const header = await node.log.header(TENANT, runId);
  const { head = -1, state } = header ?? {};
  const events = Array.from({ length: MOST_PINS }, (_, place) => ({
    type: PIN_ADDED,
    schemaVersion: 1,
    payload: { pinId: `pin_${String(place).padStart(64, '0')}`, artifactId: `art_${'a'.repeat(22)}` },
    counts: { o200k_base: GREAT, cl100k_base: GREAT, chars: GREAT },
  }));
  const after = events.reduce(
    (now, event, place) => foldOwnLoop(now, { ...event, sequence: head + 1 + place }),
    state as unknown as OwnLoopState,
  );
  await node.log.append({
    tenantId: TENANT,
    runId,
    expectedHead: head,
    events,
    at: new Date('2026-01-01T00:00:00.000Z'),
    header: { state: after as unknown as JsonObject },
  });
  return runId;
}

describe('the largest overlay that is allowed', () => {
  it('is recorded with all that is counted beside it; a larger one is refused before there is a fork', async () => {
    const runId = await pinned();
    const context = { tokenCounter: 'chars', transcriptTokenBudget: 1200 };
    const branch = (length: number): Promise<Answer> =>
      node.ask({
        url: `/v1/runs/${runId}:fork`,
        json: {
          mode: 'branch',
          fromSeq: MOST_PINS + 1,
          runOptionsOverlay: {
            configurable: { context, large: 'x'.repeat(20_000) },
            metadata: { large: 'x'.repeat(length) },
          },
        },
      });
    const overlaid = async ({ status, body }: Answer) => {
      expect([status, body['error']]).toEqual([201, undefined]);
      const events = await eventsOverHttp(node, body['runId'] as string);
      expect(events.at(-1)?.type).toBe(RUN_OVERLAID);
      return events.at(-1)?.payload ?? {};
    };
    const { transcriptTokens, instructionTokens, pins, ...overlay } = await overlaid(await branch(0));
    expect({ transcriptTokens, instructionTokens }).toEqual({ transcriptTokens: 0, instructionTokens: 0 });
    expect(Object.keys(pins ?? {})).toHaveLength(MOST_PINS);
    const room = PAYLOAD_BYTES - RECOUNTED_BYTES - JSON.stringify(overlay).length;
    const largest = await overlaid(await branch(room));
    expect(JSON.stringify(largest).length).toBeGreaterThan(PAYLOAD_BYTES - RECOUNTED_BYTES + 5000);
    expect(JSON.stringify(largest).length).toBeLessThanOrEqual(PAYLOAD_BYTES);
    expect(await branch(room + 1)).toMatchObject({ status: 413, body: { error: 'payload_too_large' } });
    const { rows } = await database.pool.query('SELECT failed_code FROM replay_coordinator.fork_jobs');
    expect(rows).toEqual([{ failed_code: null }, { failed_code: null }]);
  });
});
