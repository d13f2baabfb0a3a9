import type { CallsVerified, JsonObject, Verification } from '@palimpsest/contracts';
import { noRacePoints, ServiceUnavailableError } from '@palimpsest/kernel';
import { verifyRun } from '../handlers/verify-run.js';
import { CoordinatorHarness } from '../testing/coordinator-harness.js';
import { SOURCE, TENANT } from '../testing/source-run.js';

const RUN = 'executed';

let harness: CoordinatorHarness;
let asked: string[];
let said: () => CallsVerified;

beforeEach(async () => {
  harness = new CoordinatorHarness();
  asked = [];
  said = () => ({ checked: 2, unkept: 1 });
  await append(RUN, { kind: 'workflow' });
});

async function append(runId: string, state: JsonObject): Promise<void> {
  const { eventLog, now: at } = harness;
  const events = [1, 2, 3].map((n) => ({ type: 'test.noted', schemaVersion: 1, payload: { n } }));
  const start = { tenantId: TENANT, expectedHead: 'no-run', workflowId: 'flow', at, events } as const;
  await eventLog.append({ ...start, runId, header: { status: 'completed', state } });
}

async function verified(runId = RUN): Promise<Verification> {
  const calls = {
    verifyCalls: (query: { readonly runId: string }) => {
      asked.push(query.runId);
      return Promise.resolve().then(() => said());
    },
  };
  const ports = { ...harness.ports(noRacePoints), calls };
  return (await verifyRun(ports, { tenantId: TENANT, runId })) as unknown as Verification;
}

describe('verifying the model calls of a run', () => {
  it('says how many were made as recorded, and of how many nothing is kept', async () => {
    expect(await verified()).toMatchObject({ ok: true, modelCalls: { checked: 2, unkept: 1 } });
    expect(asked).toEqual([RUN]);
  });

  it.each([{ iteration: 7 }, {}])(
    'tells the first that was made otherwise, without its node: %j',
    async (turn) => {
      said = () => ({ checked: 3, unkept: 0, firstDifference: { sequence: 2, nodeId: 's', ...turn } });
      const what = 'a model was asked something else than the record gives';
      expect(await verified()).toMatchObject({
        ok: false,
        modelCalls: { checked: 3, unkept: 0 },
        firstDifference: { sequence: 2, ...turn, what },
      });
    },
  );

  it('comes after another difference of the same place', async () => {
    said = () => ({ checked: 1, unkept: 0, firstDifference: { sequence: 3, nodeId: 's' } });
    const cause = { type: 'test.noted', schemaVersion: 1, payload: {}, causationId: `evt-${RUN}-9` };
    const { eventLog, now: at } = harness;
    await eventLog.append({ tenantId: TENANT, runId: RUN, expectedHead: 2, at, events: [cause] });
    const { firstDifference } = await verified();
    expect(firstDifference).toEqual({ sequence: 3, what: 'its cause is no event before it' });
  });

  it('is not done where the loop is the caller’s', async () => {
    await append('own', { kind: 'own-loop' });
    expect(await verified('own')).not.toHaveProperty('modelCalls');
    expect(asked).toEqual([]);
  });

  it('is not done where nobody could', async () => {
    const answer = await verifyRun(harness.ports(noRacePoints), { tenantId: TENANT, runId: RUN });
    expect(answer).not.toHaveProperty('modelCalls');
  });

  it('fails for now where the orchestrator is away', async () => {
    said = () => {
      throw new ServiceUnavailableError('The orchestrator');
    };
    await expect(verified()).rejects.toMatchObject({ code: 'service_unavailable' });
    await expect(verified(SOURCE)).rejects.toMatchObject({ code: 'not_found' });
  });
});
