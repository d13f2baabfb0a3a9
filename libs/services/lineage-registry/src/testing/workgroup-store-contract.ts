import { TerminalError } from '@palimpsest/kernel';
import type { RolloutStanding } from '../domain/rollout/rollout.js';
import type { WorkgroupChange, WorkgroupStore } from '../store/workgroup-store.js';
import type { Decision } from '../domain/workgroup/decision.js';
import { evolve } from '../domain/workgroup/evolve.js';
import { closedWorkgroup, type Workgroup } from '../domain/workgroup/workgroup.js';
import type { WorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import {
  capsuleRecorded,
  delegationRecorded,
  digest,
  evicted,
  oneOfEach,
  opened,
  refused,
  registered,
  renewed,
  seatTaken,
  telemetry,
} from './sample-events.js';

export type WorkgroupStoreHarness = {
  readonly store: WorkgroupStore;
  /** The same workgroups, through another instance where there can be one. */
  readonly other: WorkgroupStore;
  setRollout(tenantId: string, standing: RolloutStanding): Promise<void>;
  /** Ids of the efficiency events of a tenant. */
  telemetryIds(tenantId: string): Promise<readonly string[]>;
  /** Lets everything that is kept under a command id get older. */
  ageCommands(ms: number): Promise<void>;
  close(): Promise<void>;
};

const DAY_MS = 86_400_000;
const ISO_MS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

class UnforeseenError extends Error {}

/** What every `WorkgroupStore` keeps. */
export function workgroupStoreContract(name: string, open: () => Promise<WorkgroupStoreHarness>): void {
  describe(`WorkgroupStore: ${name}`, () => {
    let harness: WorkgroupStoreHarness;
    let tenantId: string;
    beforeAll(async () => {
      harness = await open();
    });
    beforeEach(() => {
      tenantId = `tenant-${globalThis.crypto.randomUUID()}`;
    });
    afterAll(() => harness.close());

    const openCase = () => new WorkgroupCase(harness, tenantId);
    describe('deciding', () => decidingCases(openCase));
    describe('refusing', () => refusingCases(openCase));
    describe('lineage ids', () => lineageCases(openCase));
    describe('what a decision may ask for and bring', () => companyCases(openCase));
    describe('command ids', () => commandCases(openCase));
    describe('reading', () => readingCases(openCase));
    describe('what is over', () => expiryCases(openCase));
  });
}

type Options = Omit<WorkgroupChange, 'tenantId' | 'workgroupId'> & { readonly workgroupId?: string };

/** A tenant of its own, with the workgroup `wg` unless told otherwise. */
class WorkgroupCase {
  readonly store: WorkgroupStore;
  constructor(
    readonly harness: WorkgroupStoreHarness,
    readonly tenantId: string,
  ) {
    this.store = harness.store;
  }

  /** One instance and the other in turn. */
  storeAt(place: number): WorkgroupStore {
    return place % 2 ? this.harness.other : this.harness.store;
  }

  change({ workgroupId = 'wg', ...options }: Options = {}): WorkgroupChange {
    return { tenantId: this.tenantId, workgroupId, ...options };
  }

  record(events: readonly WorkgroupEvent[], options: Options = {}): Promise<object> {
    return this.store.decide(this.change(options), () => ({ events, answer: {} }));
  }

  async look(options: Options = {}): Promise<Workgroup> {
    const decide = (workgroup: Workgroup) => ({ events: [], answer: { workgroup } });
    return (await this.store.decide(this.change(options), decide)).workgroup;
  }

  events(workgroupId = 'wg') {
    return this.store.events({ tenantId: this.tenantId, workgroupId, after: -1, limit: 500 });
  }

  async types(workgroupId = 'wg'): Promise<readonly string[]> {
    return (await this.events(workgroupId)).map(({ type }) => type);
  }

  read(evictedToo = 0, workgroupId = 'wg') {
    return this.store.read(this.tenantId, workgroupId, evictedToo);
  }

  async ids(evictedToo = 0): Promise<readonly string[]> {
    return [...((await this.read(evictedToo))?.workgroup.lineages.keys() ?? [])];
  }
}

type Open = () => WorkgroupCase;

const refusal = () => new TerminalError('lineage_held', 'Somebody works.', { details: { lineageId: 'one' } });

function decidingCases(openCase: Open): void {
  it('shows a workgroup that nobody opened as closed, and looking opens none', async () => {
    const one = openCase();
    expect(await one.look()).toEqual(closedWorkgroup('wg'));
    expect(await one.read()).toBeUndefined();
    expect(await one.events()).toEqual([]);
    expect(await one.look()).toEqual(closedWorkgroup('wg'));
  });

  it('records events at dense sequences and gives the answer', async () => {
    const one = openCase();
    const decide = () => ({ events: [opened, seatTaken(1)], answer: { fence: 1 } });
    expect(await one.store.decide(one.change(), decide)).toEqual({ fence: 1 });
    await one.record([registered('one', 2)]);
    const events = await one.events();
    expect(events.map(({ sequence }) => sequence)).toEqual([0, 1, 2]);
    expect(events).toMatchObject([opened, seatTaken(1), registered('one', 2)]);
  });

  it('decides on what the decision before left', async () => {
    const one = openCase();
    await one.record([opened, seatTaken(1)]);
    await one.record([registered('one', 2)]);
    const seen = await one.look();
    expect(seen).toMatchObject({ sequence: 2, phase: '1A', lastFence: 2, seat: { fence: 1 } });
    expect(seen.lineages.get('one')).toMatchObject({ status: 'held', fence: 2 });
  });

  it('stamps events with the time at which was decided, in milliseconds', async () => {
    const one = openCase();
    const { now } = await one.store.decide(one.change(), (_, { now }) => ({
      events: [opened],
      answer: { now },
    }));
    expect(Number.isInteger(now)).toBe(true);
    const [event] = await one.events();
    expect(event?.recordedAt).toMatch(ISO_MS);
    expect(event?.recordedAt).toBe(new Date(now).toISOString());
  });

  it('decides once, and one after another, whoever comes at once', async () => {
    const one = openCase();
    await one.record([opened]);
    let decisions = 0;
    const take = ({ lastFence }: Workgroup): Decision<{ fence: number }> => {
      decisions += 1;
      return { events: [seatTaken(lastFence + 1)], answer: { fence: lastFence + 1 } };
    };
    const taken = await Promise.all(
      Array.from({ length: 16 }, (_, place) => one.storeAt(place).decide(one.change(), take)),
    );
    const fences = Array.from({ length: 16 }, (_, place) => place + 1);
    expect(taken.map(({ fence }) => fence).sort((a, b) => a - b)).toEqual(fences);
    expect(decisions).toBe(16);
    const events = await one.events();
    expect(events.map(({ sequence }) => sequence)).toEqual([0, ...fences]);
    expect(events.slice(1).map(({ payload }) => (payload as { fence: number }).fence)).toEqual(fences);
  });

  it('has rows that equal the fold of the events, however they were cut into decisions', async () => {
    const cuts = [[oneOfEach.length], [1, 7, 8, 14, 17], oneOfEach.map((_, place) => place + 1)];
    for (const cut of cuts) {
      const one = openCase();
      const workgroupId = `wg-${cut.length}`;
      let from = 0;
      for (const to of [...cut, oneOfEach.length]) {
        const events = oneOfEach.slice(from, to).map((event) => renamed(event, workgroupId));
        from = to;
        await one.record(events, { workgroupId });
      }
      const recorded = await one.events(workgroupId);
      expect(recorded).toHaveLength(oneOfEach.length);
      const folded = recorded.reduce((state, event) => evolve(state, event), closedWorkgroup(workgroupId));
      const read = (await one.read(500, workgroupId))?.workgroup;
      expect(read).toEqual(folded);
      expect([...(read?.mcpHealth.keys() ?? [])]).toEqual(['__proto__', 'docs']);
      for (const [lineageId, lineage] of folded.lineages)
        expect(await one.store.lineage(one.tenantId, lineageId)).toMatchObject({ workgroupId, lineage });
    }
  });
}

/** Ids of lineages are their tenant's: each workgroup has its own. */
function renamed(event: WorkgroupEvent, workgroupId: string): WorkgroupEvent {
  return 'lineageId' in event ? { ...event, lineageId: `${event.lineageId}-${workgroupId}` } : event;
}

function refusingCases(openCase: Open): void {
  it('throws the refusal once its events are durable', async () => {
    const one = openCase();
    await one.record([opened, registered('one', 1)]);
    const given = refusal();
    const decide = () => ({ events: [refused('one')], refusal: given });
    await expect(one.store.decide(one.change(), decide)).rejects.toBe(given);
    expect((await one.events()).at(-1)).toMatchObject({ ...refused('one'), sequence: 2 });
    expect(await one.look()).toMatchObject({ sequence: 2 });
  });

  it('leaves nothing of a refusal without events', async () => {
    const one = openCase();
    const given = refusal();
    const decide = () => ({ events: [], refusal: given });
    await expect(one.store.decide(one.change(), decide)).rejects.toBe(given);
    expect(await one.read()).toBeUndefined();
  });

  it('leaves nothing of a decision that fails, and goes on', async () => {
    const one = openCase();
    const failure = new UnforeseenError();
    const fail = (): Decision<object> => {
      throw failure;
    };
    await expect(one.store.decide(one.change({ commandId: 'c' }), fail)).rejects.toBe(failure);
    expect(await one.read()).toBeUndefined();
    await one.record([opened], { commandId: 'c' });
    await expect(one.store.decide(one.change({ commandId: 'd' }), fail)).rejects.toBe(failure);
    expect(await one.types()).toEqual([opened.type]);
  });

  it.each([
    ['NUL', 'plan\u0000'],
    ['a lone surrogate', 'plan\ud800'],
  ])('refuses %s in an event and keeps nothing of it', async (_, subject) => {
    const one = openCase();
    await one.record([opened]);
    const payload = { fence: 1, subject, phase: '1A' as const, finalGate: false };
    const events = [seatTaken(1), { type: 'palimpsest.workgroup.approved' as const, payload }];
    await expect(one.record(events)).rejects.toMatchObject({ code: 'validation_error' });
    expect(await one.types()).toEqual([opened.type]);
    expect(await one.look()).toMatchObject({ sequence: 0, lastFence: 0 });
  });
}

function lineageCases(openCase: Open): void {
  it('shows what is held or idle, and of the evicted what is named', async () => {
    const one = openCase();
    await one.record([opened, registered('c', 1), registered('b', 2), registered('a', 3)]);
    await one.record([evicted('b'), evicted('a')], { lineageIds: ['a', 'b'] });
    expect([...(await one.look()).lineages.keys()]).toEqual(['c']);
    const named = await one.look({ lineageIds: ['a', 'c', 'a', 'unknown'] });
    expect([...named.lineages.keys()].sort()).toEqual(['a', 'c']);
    expect(named.lineages.get('a')).toMatchObject({ status: 'evicted', eviction: 'FINAL_GATE' });
  });

  it('shows none of another workgroup, though it is named', async () => {
    const one = openCase();
    await one.record([opened, registered('a', 1), registered('b', 2), evicted('b')], { workgroupId: 'x' });
    expect((await one.look({ lineageIds: ['a', 'b'] })).lineages.size).toBe(0);
  });

  it.each([
    ['another workgroup', [registered('one', 1)], 'x'],
    ['another workgroup, where it was evicted', [registered('one', 1), evicted('one')], 'x'],
    ['this one, where it was evicted', [registered('one', 1), evicted('one')], 'wg'],
  ])('refuses an id that %s has, with nothing written', async (_, before, workgroupId) => {
    const one = openCase();
    await one.record([opened, ...before], { workgroupId });
    if (workgroupId !== 'wg') await one.record([opened]);
    const types = await one.types();
    const seen = await one.look();
    const events = [seatTaken(5), registered('two', 6), registered('one', 7), capsuleRecorded(digest('a'))];
    await expect(one.record(events, { commandId: 'c' })).rejects.toMatchObject({
      code: 'lineage_exists',
      retryable: false,
      details: { lineageId: 'one' },
    });
    expect(await one.types()).toEqual(types);
    expect(await one.look()).toEqual(seen);
    expect(await one.store.lineage(one.tenantId, 'two')).toBeUndefined();
    expect(await one.store.lineage(one.tenantId, 'one')).toMatchObject({ workgroupId });
    expect(await one.store.capsule(one.tenantId, 'wg', digest('a'))).toBeUndefined();
    await one.record([seatTaken(5)], { commandId: 'c' });
  });

  it('gives an id in two workgroups at once to one of them', async () => {
    const one = openCase();
    const workgroups = ['w1', 'w2', 'w3', 'w4'];
    const registrations = await Promise.allSettled(
      workgroups.map((workgroupId, place) => {
        const events = [opened, registered('one', 1)];
        return one
          .storeAt(place)
          .decide(one.change({ workgroupId }), () => ({ events, answer: { workgroupId } }));
      }),
    );
    const winners = registrations.flatMap((each) =>
      each.status === 'fulfilled' ? [each.value.workgroupId] : [],
    );
    const refusals = registrations.flatMap((each) =>
      each.status === 'rejected' ? [each.reason as unknown] : [],
    );
    expect(winners).toHaveLength(1);
    expect(refusals).toMatchObject(Array(3).fill({ code: 'lineage_exists' }));
    expect(await one.store.lineage(one.tenantId, 'one')).toMatchObject({ workgroupId: winners[0] });
  });
}

function companyCases(openCase: Open): void {
  const rollout = { environment: 'production', family: 'lineage-reuse' };

  it('gives the stage of a rollout where it is asked for', async () => {
    const one = openCase();
    const standing = () =>
      one.store.decide(one.change({ rollout }), (_, moment) => ({ events: [], answer: { moment } }));
    const off = { ...rollout, version: 0, stage: 'off', canaryPercent: null };
    expect((await standing()).moment.rollout).toEqual(off);
    const canary = { ...rollout, version: 3, stage: 'canary', canaryPercent: 25 } as const;
    await one.harness.setRollout(one.tenantId, canary);
    expect((await standing()).moment.rollout).toEqual(canary);
    const { moment } = await one.store.decide(one.change(), (_, moment) => ({
      events: [],
      answer: { moment },
    }));
    expect(moment).not.toHaveProperty('rollout');
  });

  it('records efficiency events with the decision, or not at all', async () => {
    const one = openCase();
    const decide = (events: readonly WorkgroupEvent[], id: string) => () => ({
      events,
      telemetry: [telemetry(id)],
      answer: {},
    });
    await one.store.decide(one.change(), decide([opened, registered('one', 1), evicted('one')], 'kept'));
    const again = one.store.decide(one.change(), decide([registered('one', 2)], 'undone'));
    await expect(again).rejects.toMatchObject({ code: 'lineage_exists' });
    const refusing = () => ({
      events: [refused('one')],
      telemetry: [telemetry('refused')],
      refusal: refusal(),
    });
    await expect(one.store.decide(one.change(), refusing)).rejects.toMatchObject({ code: 'lineage_held' });
    expect([...(await one.harness.telemetryIds(one.tenantId))].sort()).toEqual(['kept', 'refused']);
  });
}

function commandCases(openCase: Open): void {
  const never = (): Decision<object> => {
    throw new UnforeseenError();
  };

  it('gives the same answer again, with nothing decided anew', async () => {
    const one = openCase();
    const answer = { z: 1, a: [null, true, 'text', { y: 0.1, b: 12_345_678_901_234 }] };
    const decide = () => ({ events: [opened], answer });
    expect(await one.store.decide(one.change({ commandId: 'c' }), decide)).toEqual(answer);
    const again = await one.store.decide(one.change({ commandId: 'c' }), never);
    expect(JSON.stringify(again)).toBe(JSON.stringify(answer));
    expect(await one.types()).toEqual([opened.type]);
  });

  it('gives the same refusal again', async () => {
    const one = openCase();
    await one.record([opened, registered('one', 1)]);
    const decide = () => ({ events: [refused('one')], refusal: refusal() });
    await expect(one.store.decide(one.change({ commandId: 'c' }), decide)).rejects.toThrow();
    const { message } = refusal();
    const same = { code: 'lineage_held', message, details: { lineageId: 'one' }, retryable: false };
    await expect(one.store.decide(one.change({ commandId: 'c' }), never)).rejects.toMatchObject(same);
    expect(await one.types()).toEqual([opened.type, registered('one', 1).type, refused('one').type]);
  });

  it('keeps the refusal about a workgroup that nobody opened, and opens none', async () => {
    const one = openCase();
    const missing = () => ({ events: [], refusal: new TerminalError('not_found', 'It was not found.') });
    const again = () => one.store.decide(one.change({ commandId: 'c' }), never);
    await expect(one.store.decide(one.change({ commandId: 'c' }), missing)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await one.read()).toBeUndefined();
    await expect(again()).rejects.toMatchObject({ code: 'not_found' });
    expect(await one.read()).toBeUndefined();
    await one.record([opened]);
    await expect(again()).rejects.toMatchObject({ code: 'not_found' });
  });

  it('decides once where the same command comes to two instances at once', async () => {
    const one = openCase();
    await one.record([opened]);
    const take = ({ lastFence }: Workgroup) => ({
      events: [seatTaken(lastFence + 1)],
      answer: { fence: lastFence + 1 },
    });
    const change = one.change({ commandId: 'c' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, place) => one.storeAt(place).decide(change, take)),
    );
    expect(answers).toEqual(Array(8).fill({ fence: 1 }));
    expect(await one.types()).toEqual([opened.type, seatTaken(1).type]);
  });

  it('are the ids of their workgroup, and of their tenant', async () => {
    const one = openCase();
    const stranger = new WorkgroupCase(one.harness, `${one.tenantId}-2`);
    await one.record([opened], { commandId: 'c' });
    await one.record([opened, seatTaken(1)], { commandId: 'c', workgroupId: 'x' });
    await stranger.record([opened], { commandId: 'c' });
    expect([await one.types(), await one.types('x'), await stranger.types()]).toEqual([
      [opened.type],
      [opened.type, seatTaken(1).type],
      [opened.type],
    ]);
  });

  it('are forgotten after a day', async () => {
    const one = openCase();
    await one.harness.ageCommands(2 * DAY_MS);
    await one.store.forgetCommands();
    await one.record([opened], { commandId: 'c' });
    await one.harness.ageCommands(DAY_MS - 60_000);
    expect(await one.store.forgetCommands()).toBe(0);
    await one.record([seatTaken(1)], { commandId: 'c' });
    expect(await one.types()).toEqual([opened.type]);
    await one.harness.ageCommands(60_001);
    expect(await one.store.forgetCommands()).toBe(1);
    await one.record([seatTaken(1)], { commandId: 'c' });
    expect(await one.types()).toEqual([opened.type, seatTaken(1).type]);
  });
}

function readingCases(openCase: Open): void {
  it('gives lineages oldest first, and as many of the newest evicted ones as are wanted', async () => {
    const one = openCase();
    await one.record([opened, registered('d', 1)]);
    for (const [place, id] of ['b', 'c', 'a'].entries()) await one.record([registered(id, place + 2)]);
    await one.record([evicted('c')]);
    await one.record([evicted('d')]);
    expect(await one.ids()).toEqual(['b', 'a']);
    expect(await one.ids(1)).toEqual(['d', 'b', 'a']);
    expect(await one.ids(2)).toEqual(['d', 'b', 'c', 'a']);
    expect(await one.ids(3)).toEqual(['d', 'b', 'c', 'a']);
  });

  it('keeps the order in which lineages left, whoever is refused by them later', async () => {
    const one = openCase();
    await one.record([opened, registered('a', 1), registered('b', 2), registered('c', 3)]);
    await one.record([evicted('a')]);
    await one.record([evicted('b')]);
    await one.record([refused('a'), refused('c')], { lineageIds: ['a'] });
    expect(await one.ids(1)).toEqual(['b', 'c']);
    const seen = await one.look({ lineageIds: ['a'] });
    for (const id of ['a', 'c']) expect(seen.lineages.get(id)?.knownRefusals).toEqual([refused('a').payload]);
  });

  it('gives the newest delegation under an id, of its workgroup and tenant', async () => {
    const one = openCase();
    const find = (delegationId: string, workgroupId = 'wg', tenantId = one.tenantId) =>
      one.store.delegation(tenantId, workgroupId, delegationId);
    await one.record([opened, delegationRecorded('d', 'first'), delegationRecorded('e', 'other')]);
    expect(await find('d')).toMatchObject({ delegationId: 'd', taskId: 'first', sequence: 1 });
    await one.record([delegationRecorded('d', 'again'), refused('d')]);
    const [, , , again] = await one.events();
    const { recordedAt } = again ?? {};
    const { payload } = delegationRecorded('d', 'again');
    expect(await find('d')).toEqual({ ...payload, workgroupId: 'wg', sequence: 3, recordedAt });
    expect(await find('f')).toBeUndefined();
    expect(await find('d', 'x')).toBeUndefined();
    expect(await find('d', 'wg', `${one.tenantId}-2`)).toBeUndefined();
  });

  it('gives a lineage by its id, whatever it is', async () => {
    const one = openCase();
    const before = (
      await one.store.decide(one.change(), (_, { now }) => ({ events: [opened], answer: { now } }))
    ).now;
    await one.record([registered('one', 1)]);
    const held = await one.store.lineage(one.tenantId, 'one');
    expect(held).toMatchObject({
      workgroupId: 'wg',
      lineage: { lineageId: 'one', status: 'held', fence: 1 },
    });
    expect(held?.now).toBeGreaterThanOrEqual(before);
    await one.record([evicted('one')]);
    const gone = await one.store.lineage(one.tenantId, 'one');
    expect(gone?.lineage).toMatchObject({ status: 'evicted', record: { lease_expires_at: null } });
    expect(await one.store.lineage(one.tenantId, 'two')).toBeUndefined();
  });

  it('gives events in pages, of all or of some types', async () => {
    const one = openCase();
    await one.record(oneOfEach);
    const page = (after: number, limit: number, types?: readonly WorkgroupEvent['type'][]) =>
      one.store
        .events({ tenantId: one.tenantId, workgroupId: 'wg', after, limit, ...(types && { types }) })
        .then((events) => events.map(({ sequence }) => sequence));
    const last = oneOfEach.length - 1;
    expect(await page(-1, 2)).toEqual([0, 1]);
    expect(await page(1, 2)).toEqual([2, 3]);
    expect(await page(last - 2, 3)).toEqual([last - 1, last]);
    expect(await page(last, 3)).toEqual([]);
    const health = ['palimpsest.mcp.health_reported'] as const;
    expect(await page(-1, 9, [...health, opened.type])).toEqual([0, 15, 16]);
    expect(await page(15, 9, health)).toEqual([16]);
    expect(await page(-1, 9, [])).toEqual([]);
  });

  it('gives the newest events of a lineage, oldest first', async () => {
    const one = openCase();
    await one.record([opened, registered('one', 1), registered('two', 2)]);
    await one.record([refused('one', 'a'), refused('two', 'b'), refused('one', 'c'), renewed('one', 1)]);
    await one.record([refused('one', 'd')]);
    const last = async (limit: number, lineageId = 'one') => {
      const key = { tenantId: one.tenantId, workgroupId: 'wg', lineageId };
      const events = await one.store.lastEvents({ ...key, type: 'palimpsest.lineage.refused', limit });
      return events.map(({ payload }) => (payload as { code: string }).code);
    };
    expect(await last(2)).toEqual(['c', 'd']);
    expect(await last(3)).toEqual(['a', 'c', 'd']);
    expect(await last(4)).toEqual(['a', 'c', 'd']);
    expect(await last(4, 'two')).toEqual(['b']);
    expect(await last(4, 'three')).toEqual([]);
  });

  it('finds a capsule as it was recorded first', async () => {
    const one = openCase();
    await one.record([opened, capsuleRecorded(digest('a'), 'first'), capsuleRecorded(digest('b'))]);
    await one.record([capsuleRecorded(digest('a'), 'second')]);
    const recordedAt = (await one.events())[1]?.recordedAt;
    expect(await one.store.capsule(one.tenantId, 'wg', digest('a'))).toEqual({
      capsuleHash: digest('a'),
      artifactId: 'artifact-1',
      taskId: 'first',
      phase: '2A',
      bytes: 4096,
      recordedAt,
    });
    expect(await one.store.capsule(one.tenantId, 'x', digest('a'))).toBeUndefined();
    expect(await one.store.capsule(one.tenantId, 'wg', digest('c'))).toBeUndefined();
  });

  it('keeps tenants apart', async () => {
    const one = openCase();
    const stranger = new WorkgroupCase(one.harness, `${one.tenantId}-2`);
    await one.record(oneOfEach);
    const { tenantId } = stranger;
    expect(await stranger.read(9)).toBeUndefined();
    expect(await stranger.look({ lineageIds: ['one', 'two'] })).toEqual(closedWorkgroup('wg'));
    expect(await stranger.events()).toEqual([]);
    expect(await stranger.store.lineage(tenantId, 'one')).toBeUndefined();
    expect(await stranger.store.capsule(tenantId, 'wg', digest('a'))).toBeUndefined();
    const key = { tenantId, workgroupId: 'wg', lineageId: 'one' };
    expect(await stranger.store.lastEvents({ ...key, type: 'palimpsest.lineage.refused', limit: 9 })).toEqual(
      [],
    );
    await stranger.record([opened, registered('one', 1)]);
    expect(await stranger.types()).toHaveLength(2);
    expect(await one.types()).toHaveLength(oneOfEach.length);
    expect(await one.store.lineage(one.tenantId, 'one')).toMatchObject({ lineage: { fence: 4 } });
  });
}

function expiryCases(openCase: Open): void {
  const year = (number: number) => `${number}-01-01T00:00:00.000Z`;

  it('names each workgroup with a lease that is over once, the longest over first', async () => {
    const one = openCase();
    const open = (workgroupId: string, events: readonly WorkgroupEvent[]) =>
      one.record([opened, ...events], { workgroupId });
    await open('live', [registered('live-1', 1)]);
    await open('gone', [registered('gone-1', 1, year(2001)), evicted('gone-1')]);
    await open('late', [registered('late-1', 1, year(2004)), registered('late-2', 2)]);
    await open('early', [registered('early-1', 1, year(2005)), registered('early-2', 2, year(2002))]);
    await open('idle', [
      registered('idle-1', 1),
      {
        type: 'palimpsest.lineage.released',
        lineageId: 'idle-1',
        payload: { fence: 1, warmUntil: year(2003) },
      },
    ]);
    const { tenantId } = one;
    const over = ['early', 'idle', 'late'].map((workgroupId) => ({ tenantId, workgroupId }));
    expect(await one.store.withExpired(9)).toEqual(over);
    expect(await one.store.withExpired(2)).toEqual(over.slice(0, 2));
    await one.record([evicted('early-1'), evicted('early-2')], { workgroupId: 'early' });
    expect(await one.store.withExpired(9)).toEqual(over.slice(1));
  });
}
