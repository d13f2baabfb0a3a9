import type { Facts } from '@palimpsest/context-efficiency';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import { listed, type TelemetryCase, type TelemetryHarness } from './telemetry-case.js';
import { observationCases } from './telemetry-observation-cases.js';
import { dispatchDecision, efficiencyEvent } from './telemetry-events.js';

const FAMILY = 'lineage-reuse';

/** What every `TelemetryStore` keeps. Each case has a tenant of its own. */
export function telemetryStoreContract(name: string, open: () => TelemetryHarness): void {
  describe(`TelemetryStore: ${name}`, () => {
    let tenants = 0;
    let given: TelemetryCase;
    beforeEach(() => {
      given = { ...open(), tenantId: `${name.toLowerCase()}-${(tenants += 1)}` };
    });
    const asOf = (): TelemetryCase => given;

    recordCases(asOf);
    listCases(asOf);
    decisionCases(asOf);
    observationCases(asOf);
  });
}

const entry = (id: string, facts: Facts = {}) => ({ id, event: efficiencyEvent(facts) });

const idsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id);

function recordCases(open: () => TelemetryCase): void {
  it('records an event as it is, once for each id, and says which were there before', async () => {
    const { store, tenantId } = open();
    const first = entry('b', { mode: 'local', outcome: { elapsed_ms: 0 } });
    expect(await store.record(tenantId, 'test', [first, entry('a')])).toEqual({
      recorded: ['b', 'a'],
      duplicates: [],
    });
    const again = [entry('c'), entry('b', { mode: 'resume' })];
    expect(await store.record(tenantId, 'test', again)).toEqual({ recorded: ['c'], duplicates: ['b'] });
    const events = await listed(open(), 3);
    expect(idsOf(events).sort()).toEqual(['a', 'b', 'c']);
    expect(events.find(({ id }) => id === 'b')?.event).toEqual(first.event);
  });

  it('records the first of a batch that has an id twice', async () => {
    const { store, tenantId } = open();
    const twice = [entry('a', { mode: 'local' }), entry('a', { mode: 'resume' })];
    expect(await store.record(tenantId, 'test', twice)).toEqual({ recorded: ['a'], duplicates: ['a'] });
    expect((await listed(open(), 1)).map(({ event }) => event['mode'])).toEqual(['local']);
  });

  it('keeps ids apart by tenant and environment', async () => {
    const { store, tenantId } = open();
    const places = [
      [tenantId, 'test'],
      [tenantId, 'other'],
      [`${tenantId}-b`, 'test'],
    ] as const;
    for (const [tenant, environment] of places) {
      expect((await store.record(tenant, environment, [entry('a')])).recorded).toEqual(['a']);
    }
    for (const [tenant, environment] of places) {
      expect(idsOf(await listed({ store, tenantId: tenant }, 1, environment))).toEqual(['a']);
    }
  });

  it('records each once of batches at once, in whatever order they have their ids', async () => {
    const { store, tenantId } = open();
    const ids = Array.from({ length: 40 }, (_, place) => `e${String(place).padStart(2, '0')}`);
    const batches = Array.from({ length: 8 }, (_, place) => (place % 2 ? [...ids].reverse() : ids));
    const answers = await Promise.all(
      batches.map((batch) =>
        store.record(
          tenantId,
          'test',
          batch.map((id) => entry(id)),
        ),
      ),
    );
    expect(answers.flatMap(({ recorded }) => recorded).sort()).toEqual(ids);
    expect(answers.flatMap(({ duplicates }) => duplicates)).toHaveLength(7 * ids.length);
    expect(idsOf(await listed(open(), 40)).sort()).toEqual(ids);
  });
}

function listCases(open: () => TelemetryCase): void {
  it('lists page by page, each position once, to go on after', async () => {
    const { store, tenantId } = open();
    for (const id of ['a', 'b', 'c']) await store.record(tenantId, 'test', [entry(id)]);
    const all = await listed(open(), 3);
    expect(idsOf(all)).toEqual(['a', 'b', 'c']);
    expect(new Set(all.map(({ position }) => position)).size).toBe(3);
    const page = (after: number, limit: number) =>
      store.list({ tenantId, environment: 'test', after, limit });
    const [a = 0, b = 0, c = 0] = all.map(({ position }) => position);
    expect(await page(0, 2)).toEqual({ events: all.slice(0, 2), next: b });
    expect(await page(0, 3)).toEqual({ events: all });
    expect(await page(a, 1)).toEqual({ events: all.slice(1, 2), next: b });
    expect(await page(b, 2)).toEqual({ events: all.slice(2) });
    expect(await page(c, 2)).toEqual({ events: [] });
  });

  it('says when each was recorded', async () => {
    const { store, tenantId } = open();
    await store.record(tenantId, 'test', [entry('a')]);
    const [event] = await listed(open(), 1);
    expect(event?.recordedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  it('lists nothing of another environment or tenant', async () => {
    const { store, tenantId } = open();
    await store.record(tenantId, 'test', [entry('a')]);
    await listed(open(), 1);
    for (const key of [
      { tenantId, environment: 'tes' },
      { tenantId: `${tenantId}-b`, environment: 'test' },
    ])
      expect(await store.list({ ...key, after: 0, limit: 1 })).toEqual({ events: [] });
  });
}

export function decided(
  id: string,
  { rolloutVersion = 3, family = FAMILY, event = dispatchDecision() }: Partial<DecidedTelemetry> = {},
): DecidedTelemetry {
  return { environment: 'test', family, rolloutVersion, id, event };
}

function decisionCases(open: () => TelemetryCase): void {
  it('keeps what is recorded under a decision’s id, and records the rest', async () => {
    const { store, tenantId, decide } = open();
    await decide(tenantId, []);
    await decide(tenantId, [decided('s', { event: dispatchDecision({ mode: 'resume' }) })]);
    await decide(tenantId, [decided('s'), decided('t')]);
    const modes = (await listed(open(), 2)).map(({ id, event }) => [id, event['mode']]);
    expect(modes).toEqual([
      ['s', 'resume'],
      ['t', 'local'],
    ]);
    expect(await store.record(tenantId, 'test', [entry('s')])).toEqual({ recorded: [], duplicates: ['s'] });
  });
}
