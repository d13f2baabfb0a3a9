import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { errorEnvelopeSchema, eventIdOf, type WindowPlan } from '@palimpsest/contracts';
import { renderMessage, renderSummary } from '@palimpsest/transcript';
import { gatewayMigrations } from '../../store/migrations.js';
import { startGateway, textIn, type Answer, type GatewayHarness } from '../../testing/gateway-harness.js';
import { StandInAssembler } from '../../testing/stand-in-assembler.js';

const WINDOW = '/v1/host/sample/agent/transcript-window';
const LOOP = '/v1/host/sample/agentloop/run';

type Seen = {
  readonly tokenCounter: string;
  readonly tokenCount: number;
  readonly eventIds: readonly string[];
  readonly summarizedRanges: readonly object[];
  readonly entries: readonly { readonly eventId: string; readonly rendered: string }[];
};

const codePointsOf = ({ entries }: Seen): number =>
  [...entries.map(({ rendered }) => rendered).join('')].length;

describe('the seams of execution loops', () => {
  let database: TestDatabase;
  let gateway: GatewayHarness;
  let production: GatewayHarness;
  beforeAll(async () => {
    database = await createTestDatabase([gatewayMigrations]);
    gateway = await startGateway(database.pool, { testSeams: true });
    production = await startGateway(database.pool);
  });
  afterAll(async () => {
    await Promise.all([gateway.close(), production.close()]);
    await database.drop();
  });

  const look = (query: string, key = gateway.key): Promise<Answer> =>
    gateway.ask({ method: 'GET', url: `${WINDOW}?${query}`, key });
  const start = async (workflowId: string): Promise<string> =>
    textIn((await gateway.ask({ method: 'POST', url: '/v1/runs', json: { workflowId } })).body, 'runId');

  function refused(answer: Answer, status: number, error: string): void {
    expect([answer.status, errorEnvelopeSchema.parse(answer.body).error]).toEqual([status, error]);
  }

  it('are for callers with a key and its scopes, where they are switched on', async () => {
    for (const [method, url] of [
      ['GET', `${WINDOW}?runId=r&iteration=1`],
      ['POST', LOOP],
    ] as const) {
      const ask = { method, url, ...(method === 'POST' && { json: { turns: 1 } }) };
      refused(await production.ask(ask), 404, 'not_found');
      refused(await gateway.ask({ ...ask, key: null }), 401, 'unauthenticated');
      const key = await gateway.newKey('acme', ['artifacts:read']);
      refused(await gateway.ask({ ...ask, key }), 403, 'forbidden');
    }
  });

  it('show a recorded window, whose texts count what it says', async () => {
    const runId = await gateway.newRun({ tokenCounter: 'chars', transcriptTokenBudget: 4000 });
    const messages = [
      { role: 'user', content: 'Où est Zoë? 🧭' },
      { role: 'assistant', content: 'Here.\n' },
    ];
    await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/turns`, json: { messages } });
    const { body: document } = await gateway.ask({ method: 'POST', url: `/v1/runs/${runId}/windows` });
    const { status, body } = await look(`runId=${runId}&iteration=1`);
    const seen = body as unknown as Seen;
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['entries', 'eventIds', 'summarizedRanges', 'tokenCount', 'tokenCounter'],
    ]);
    expect(seen.entries).toEqual(
      (document['entries'] as Seen['entries'][number][]).map(({ eventId, rendered }) => ({
        eventId,
        rendered,
      })),
    );
    expect(seen.eventIds).toEqual(seen.entries.map(({ eventId }) => eventId));
    expect([seen.tokenCounter, seen.tokenCount]).toEqual(['chars', codePointsOf(seen)]);
    refused(await look(`runId=${runId}&iteration=2`), 404, 'not_found');
  });

  it('tell summaries from what was fed verbatim, pins included', async () => {
    const runId = await gateway.newRun();
    const message = { role: 'assistant' as const, text: 'Done.' };
    const pinned = { role: 'user' as const, text: 'In French.' };
    const ids = await gateway.ports.artifacts.put('acme', runId, [
      { type: 'message', content: pinned },
      { type: 'context.summary', content: { text: 'Two workers finished.' } },
      { type: 'message', content: message },
    ]);
    const kinds = ['pin', 'summary', 'turn'] as const;
    const rendered = [renderMessage(pinned), renderSummary('Two workers finished.'), renderMessage(message)];
    const sequences = [1, 7, 9];
    const plan = await planOf(runId, {
      entries: kinds.map((kind, index) => ({
        kind,
        eventId: eventIdOf(runId, sequences[index] ?? 0),
        sequence: sequences[index] ?? 0,
        turn: sequences[index] ?? 0,
        role: 'user',
        artifactId: ids[index] ?? '',
        form: 'full',
        tokens: rendered[index]?.length ?? 0,
        toolCallIds: [],
      })),
      summarizedRanges: [
        { eventId: eventIdOf(runId, 7), summaryRef: ids[1] ?? '', replacedTurns: [eventIdOf(runId, 3)] },
      ],
    });
    (gateway.ports.assembler as StandInAssembler).record(runId, plan);
    const { body } = await look(`runId=${runId}&iteration=1`);
    expect(body).toEqual({
      tokenCounter: 'chars',
      tokenCount: rendered.join('').length,
      eventIds: [eventIdOf(runId, 1), eventIdOf(runId, 9)],
      summarizedRanges: [{ summaryRef: ids[1], replacedTurns: [eventIdOf(runId, 3)] }],
      entries: sequences.map((sequence, index) => ({
        eventId: eventIdOf(runId, sequence),
        rendered: rendered[index],
      })),
    });
  });

  it('show an empty first window of a loop that was fed nothing, and no second one', async () => {
    const runId = await start('looped');
    expect((await look(`runId=${runId}&iteration=1`)).body).toEqual({
      tokenCounter: 'o200k_base',
      tokenCount: 0,
      eventIds: [],
      summarizedRanges: [],
      entries: [],
    });
    refused(await look(`runId=${runId}&iteration=2`), 404, 'not_found');
    refused(await look(`runId=${await start('plain')}&iteration=1`), 404, 'not_found');
    refused(await look(`runId=${await gateway.newRun()}&iteration=1`), 404, 'not_found');
    refused(await look(`runId=${runId}&iteration=1`, await gateway.newKey('rival')), 404, 'not_found');
  });

  it.each([
    ['iteration=1', 400, 'validation_error'],
    ['runId=r', 400, 'validation_error'],
    ['runId=r&iteration=', 400, 'validation_error'],
    ['runId=r&iteration=1.5', 400, 'validation_error'],
    ['runId=r&iteration=one', 400, 'validation_error'],
    ['runId=r&iteration=1&iteration=2', 400, 'validation_error'],
    ['runId=a%00&iteration=1', 400, 'validation_error'],
    ['runId=nobody&iteration=1', 404, 'not_found'],
    ['runId=nobody&iteration=0', 404, 'not_found'],
  ])('answer %s with %i %s', async (query, status, error) => {
    refused(await look(query), status, error);
  });

  it.each([0, -1, 999_999_999_999_999])('have no window of the iteration %i', async (iteration) => {
    refused(await look(`runId=${await start('looped')}&iteration=${iteration}`), 404, 'not_found');
  });

  it.each([{}, { turns: 0 }, { turns: 2, suspendAtTurn: 3 }, { turns: 2, workspaceWriteAtTurn: 1 }, []])(
    'run no loop for %j',
    async (json) => {
      refused(await gateway.ask({ method: 'POST', url: LOOP, json }), 400, 'validation_error');
    },
  );

  async function planOf(
    runId: string,
    parts: Pick<WindowPlan, 'entries' | 'summarizedRanges'>,
  ): Promise<WindowPlan> {
    const other = new StandInAssembler(gateway.ports.eventLog);
    const plan = await other.planWindow({ tenantId: 'acme', runId, asOfSequence: 0 });
    const tokenCount = parts.entries.reduce((sum, { tokens }) => sum + tokens, 0);
    return { ...plan, ...parts, window: { ...plan.window, tokenCount } };
  }
});
