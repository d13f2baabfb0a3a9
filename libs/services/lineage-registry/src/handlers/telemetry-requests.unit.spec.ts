import type { Facts } from '@palimpsest/context-efficiency';
import { REGISTRY_SUBJECTS, TELEMETRY_BATCH, telemetryListSchema } from '@palimpsest/contracts/registry';
import { systemClock } from '@palimpsest/kernel';
import { MemoryTelemetry } from '../store/memory-telemetry.js';
import { billedTokens, dispatchDecision, efficiencyEvent } from '../testing/telemetry-events.js';
import { telemetryRequests } from './telemetry-requests.js';

const KEY = { tenantId: 'acme', environment: 'test' };
const SOUND = { id: 'sound', event: efficiencyEvent() };

let telemetry: MemoryTelemetry;
beforeEach(() => {
  telemetry = new MemoryTelemetry(systemClock);
});

const ask = (name: 'recordTelemetry' | 'listTelemetry', body: object): Promise<unknown> | undefined =>
  telemetryRequests({ telemetry })[REGISTRY_SUBJECTS[name]]?.({ ...KEY, ...body });
const record = (...events: readonly { readonly id: string; readonly event: Facts }[]) =>
  ask('recordTelemetry', { events });
const list = async () => telemetryListSchema.parse(await ask('listTelemetry', { after: 0, limit: 500 }));

describe('telemetry over the bus', () => {
  it('is recorded once by its id, and listed as it was recorded', async () => {
    const event = dispatchDecision({ billed: { ...billedTokens(0, 1, 2, 3), amount: 0.5, currency: 'EUR' } });
    expect(await record({ id: 'a', event }, SOUND)).toEqual({ recorded: ['a', 'sound'], duplicates: [] });
    expect(await record({ id: 'a', event })).toEqual({ recorded: [], duplicates: ['a'] });
    const { events, next } = await list();
    expect(events.map(({ id, event: recorded }) => [id, recorded])).toEqual([
      ['a', event],
      ['sound', SOUND.event],
    ]);
    expect(next).toBeUndefined();
  });

  const { task_corpus_id: _, ...missing } = efficiencyEvent();
  const billed = (facts: Facts) => ({
    ...efficiencyEvent(),
    billed: { ...efficiencyEvent().billed, ...facts },
  });
  it.each<[string, Facts, string]>([
    ['a key too many', { ...efficiencyEvent(), extra: null }, 'EFFICIENCY_EVENT_INVALID'],
    ['a key too few', missing, 'EFFICIENCY_EVENT_INVALID'],
    ['a key under another name', { ...missing, task_corpus: null }, 'EFFICIENCY_EVENT_INVALID'],
    ['another schema', { ...efficiencyEvent(), schema: 'other/v1' }, 'EFFICIENCY_EVENT_INVALID'],
    ['a section that is none', { ...efficiencyEvent(), logical: null }, 'EFFICIENCY_EVENT_INVALID'],
    ['a section as a list', { ...efficiencyEvent(), logical: [] }, 'EFFICIENCY_EVENT_INVALID'],
    ['a key too many in a section', billed({ extra: null }), 'EFFICIENCY_EVENT_INVALID'],
    [
      'reasons out of order',
      { ...dispatchDecision(), reason_codes: ['BLOCKING', 'LOCAL_CHEAPER'] },
      'EFFICIENCY_EVENT_INVALID',
    ],
    ['a billed zero that nobody vouches for', billed({ output_tokens: 0 }), 'ACCOUNTING_SOURCE_REQUIRED'],
    ['a private value', { ...efficiencyEvent(), note: 'write to ada@example.org' }, 'PRIVATE_TELEMETRY'],
    ['a private key', { ...efficiencyEvent(), session_id: null }, 'PRIVATE_TELEMETRY'],
    ['no known word', { ...efficiencyEvent(), event: 'other' }, 'EFFICIENCY_EVENT_INVALID'],
  ])('refuses an event with %s, and all of its batch', async (_name, event, contractCode) => {
    await expect(record(SOUND, { id: 'b', event }, { ...SOUND, id: 'c' })).rejects.toMatchObject({
      code: 'context_refused',
      retryable: false,
      details: { contractCode, index: 1 },
    });
    expect((await list()).events).toEqual([]);
  });

  it('takes reasons in their order', async () => {
    const event = dispatchDecision({ reason_codes: ['BLOCKING', 'LOCAL_CHEAPER'] });
    expect(event.reason_codes).toEqual(['LOCAL_CHEAPER', 'BLOCKING']);
    expect(await record({ id: 'a', event })).toMatchObject({ recorded: ['a'] });
  });

  it.each([
    [0, false],
    [1, true],
    [TELEMETRY_BATCH, true],
    [TELEMETRY_BATCH + 1, false],
  ])('takes %i events at once: %s', async (count, isTaken) => {
    const events = Array.from({ length: count }, (_each, place) => ({ ...SOUND, id: `e${place}` }));
    const outcome = await record(...events)?.catch((error: unknown) => error);
    expect(outcome).toMatchObject(isTaken ? { duplicates: [] } : { code: 'validation_error' });
    expect((await list()).events).toHaveLength(isTaken ? count : 0);
  });

  it.each([
    ['a'.repeat(128), true],
    ['a'.repeat(129), false],
    ['', false],
    ['/home/ada', false],
    ['run:evt-run-1', false],
  ])('takes the id %s: %s', async (id, isTaken) => {
    const outcome = await record({ ...SOUND, id })?.catch((error: unknown) => error);
    expect(outcome).toMatchObject(isTaken ? { recorded: [id] } : { code: 'validation_error' });
  });

  it.each([
    ['an id', {}, 'run-20310301'],
    ['an environment', { environment: 'session_20310301' }, 'sound'],
  ])('keeps nothing under %s that is private', async (_name, place, id) => {
    const events = [SOUND, { ...SOUND, id }];
    await expect(ask('recordTelemetry', { events, ...place })).rejects.toMatchObject({
      code: 'private_content',
      retryable: false,
    });
    expect((await telemetry.list({ ...KEY, ...place, after: 0, limit: 9 })).events).toEqual([]);
    const page = { after: 0, limit: 1, ...place };
    if ('environment' in place)
      await expect(ask('listTelemetry', page)).rejects.toMatchObject({ code: 'private_content' });
  });

  it('looks at no tenant’s id', async () => {
    const body = { tenantId: 'run-20310301', events: [SOUND] };
    expect(await ask('recordTelemetry', body)).toMatchObject({ recorded: ['sound'] });
  });

  it('lists at most what is asked for, and says where to go on', async () => {
    await record(SOUND, { ...SOUND, id: 'b' });
    const first = telemetryListSchema.parse(await ask('listTelemetry', { after: 0, limit: 1 }));
    expect(first.events.map(({ id }) => id)).toEqual(['sound']);
    const rest = telemetryListSchema.parse(await ask('listTelemetry', { after: first.next, limit: 1 }));
    expect(rest.events.map(({ id }) => id)).toEqual(['b']);
    expect(rest.next).toBeUndefined();
    for (const wrong of [
      { after: -1, limit: 1 },
      { after: 0, limit: 0 },
      { after: 0, limit: 501 },
    ])
      await expect(ask('listTelemetry', wrong)).rejects.toMatchObject({ code: 'validation_error' });
  });
});
