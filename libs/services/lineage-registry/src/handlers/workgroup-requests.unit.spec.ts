import { workgroupEventsSchema, workgroupViewSchema } from '@palimpsest/contracts/registry';
import { AskedRegistry } from '../testing/asked-registry.js';
import { NOON, registerCommand, TENANT, WORKGROUP } from '../testing/lineage-records.js';

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };

async function opened(): Promise<AskedRegistry> {
  const registry = new AskedRegistry();
  await registry.ask('coordinate', KEY);
  return registry;
}

describe('a workgroup', () => {
  it('is coordinated, advanced, approved and read', async () => {
    const registry = await opened();
    await registry.ask('advancePhase', { ...KEY, fence: 1, phase: '2A' });
    const approved = await registry.ask('approve', { ...KEY, fence: 1, subject: 'plan' });
    const view = workgroupViewSchema.parse(approved);
    expect(view).toMatchObject({ phase: '2A', sequence: 3, coordinator: { fence: 1 } });
    expect(await registry.ask('readWorkgroup', KEY)).toEqual(approved);
  });

  it('is read as of now', async () => {
    const registry = await opened();
    await registry.ask('register', registerCommand('one', { leaseMs: 1000 }));
    registry.now = NOON + 999;
    expect(await registry.ask('readWorkgroup', KEY)).toMatchObject({
      lineages: { held: 1, idle: 0 },
      sequence: 2,
    });
    registry.now = NOON + 1000;
    expect(await registry.ask('readWorkgroup', KEY)).toMatchObject({
      lineages: { held: 0, idle: 0 },
      sequence: 2,
    });
  });

  it.each(['readWorkgroup', 'listLineages', 'ownedPaths'] as const)('is not found: %s', async (name) => {
    const registry = new AskedRegistry();
    expect(await registry.refusal(name, KEY)).toMatchObject({ code: 'not_found' });
    await registry.ask('coordinate', KEY);
    expect(await registry.refusal(name, { ...KEY, tenantId: 'another' })).toMatchObject({
      code: 'not_found',
    });
  });

  it('answers a command that comes again as it did', async () => {
    const registry = new AskedRegistry();
    const command = { ...KEY, commandId: 'command-1' };
    const answer = await registry.ask('coordinate', command);
    registry.now += 1000;
    expect(await registry.ask('coordinate', command)).toEqual(answer);
  });

  it('keeps no private value', async () => {
    const registry = await opened();
    const body = { ...KEY, fence: 1, subject: 'ada@example.org' };
    expect(await registry.refusal('approve', body)).toMatchObject({ code: 'private_content' });
    expect(await registry.ask('readWorkgroup', KEY)).toMatchObject({ approvals: [] });
  });
});

describe('what happened in a workgroup', () => {
  it.each([
    [1, [0], 0],
    [2, [0, 1], 1],
    [3, [0, 1, 2], undefined],
    [4, [0, 1, 2], undefined],
  ])('is told in pages of %i', async (limit, sequences, next) => {
    const registry = await opened();
    await registry.ask('register', registerCommand('one'));
    const page = workgroupEventsSchema.parse(
      await registry.ask('workgroupEvents', { ...KEY, after: -1, limit }),
    );
    expect(page.events.map(({ sequence }) => sequence)).toEqual(sequences);
    expect(page.next).toBe(next);
  });

  it('is told from a place on', async () => {
    const registry = await opened();
    await registry.ask('register', registerCommand('one'));
    const { events } = await registry.ask('workgroupEvents', { ...KEY, after: 1, limit: 10 });
    expect(events).toMatchObject([
      {
        sequence: 2,
        type: 'palimpsest.lineage.registered',
        lineageId: 'one',
        recordedAt: '2031-03-10T12:00:00.000Z',
        payload: { fence: 2, record: { lineage_id: 'one' } },
      },
    ]);
    expect(await registry.ask('workgroupEvents', { ...KEY, after: 2, limit: 10 })).toEqual({ events: [] });
  });

  it('is told of a workgroup that is known', async () => {
    const body = { ...KEY, after: -1, limit: 1 };
    expect(await new AskedRegistry().refusal('workgroupEvents', body)).toMatchObject({ code: 'not_found' });
  });
});
