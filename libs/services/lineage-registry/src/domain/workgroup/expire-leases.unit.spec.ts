import { DecidedWorkgroup, refusalOf } from '../../testing/decided-workgroup.js';
import { NOON, registerCommand, TENANT, WORKGROUP } from '../../testing/lineage-records.js';
import { decideAdvancePhase } from './coordinate.js';
import { foldAt, timeOf } from './deciding.js';
import { decideEvict } from './evict.js';
import { expiredLeases, sweep } from './expire-leases.js';
import { decideRegister } from './register.js';
import { asOf, lineageAsOf, lineageViews, ownedPathsOf, viewOf, workgroupView } from './views.js';
import { DEFAULT_LEASE_MS, DEFAULT_WARM_MS } from './workgroup.js';

/** Until then `held` is held; `idle` is warm for as long again. */
const OVER = NOON + DEFAULT_LEASE_MS;

function three(): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened({ leaseMs: 86_400_000 });
  decided.held('held', { ownedFiles: ['src', 'docs'] });
  decided.idle('idle');
  decided.held('gone');
  decided.give(decideEvict, { tenantId: TENANT, lineageId: 'gone', reason: 'INCOMPATIBLE' });
  return decided;
}

describe('leases that are over', () => {
  it.each([
    [OVER - 1, []],
    [OVER, ['held']],
    [OVER + 1, ['held']],
    [NOON + DEFAULT_WARM_MS - 1, ['held']],
    [NOON + DEFAULT_WARM_MS, ['held', 'idle']],
  ])('are those of who worked and who was warm: at %i', (now, ids) => {
    const { workgroup } = three();
    const events = ids.map((lineageId) => ({
      type: 'palimpsest.lineage.evicted',
      lineageId,
      payload: { reason: 'LEASE_EXPIRED' },
    }));
    expect(expiredLeases(workgroup, now)).toEqual(events);
    expect(sweep(workgroup, now)).toEqual({ events, answer: { evicted: ids.length } });
  });

  it('end once', () => {
    const { workgroup } = three();
    const after = foldAt({ workgroup, now: OVER }, expiredLeases(workgroup, OVER));
    expect(after.lineages.get('held')).toMatchObject({ status: 'evicted', eviction: 'LEASE_EXPIRED' });
    expect(expiredLeases(after, OVER + 1)).toEqual([]);
  });

  it('are recorded with whatever comes, a refusal as well', () => {
    const decided = three();
    decided.now = OVER;
    const refused = decided.act(decideRegister, registerCommand('held'));
    expect(refusalOf(refused)).toMatchObject({ code: 'lineage_exists' });
    expect(refused.events).toEqual(expiredLeases(three().workgroup, OVER));
  });

  it('are recorded ahead of what is decided', () => {
    const decided = three();
    decided.now = OVER;
    const command = { tenantId: TENANT, workgroupId: WORKGROUP, fence: 1, phase: '1B' as const };
    const { events, answer } = decided.act(decideAdvancePhase, command);
    expect(events.map(({ type }) => type)).toEqual([
      'palimpsest.lineage.evicted',
      'palimpsest.workgroup.phase_advanced',
    ]);
    expect(answer?.sequence).toBe(decided.workgroup.sequence);
  });

  it('are none of a seat’s, which is free by comparison', () => {
    const { workgroup } = DecidedWorkgroup.opened();
    expect(expiredLeases(workgroup, OVER)).toEqual([]);
    expect(workgroupView({ workgroup, now: OVER - 1 }).coordinator).toEqual({
      fence: 1,
      expiresAt: timeOf(OVER),
    });
    expect(workgroupView({ workgroup, now: OVER })).not.toHaveProperty('coordinator');
  });
});

describe('a view', () => {
  it.each([
    [OVER - 1, { held: 1, idle: 1 }, 'held'],
    [OVER, { held: 0, idle: 1 }, 'evicted'],
    [OVER + 1, { held: 0, idle: 1 }, 'evicted'],
  ])('is as of its time, swept or not: at %i', (now, lineages, status) => {
    const { workgroup } = three();
    const seen = asOf({ workgroup, now });
    expect(workgroupView({ workgroup: seen, now })).toMatchObject({ lineages, sequence: workgroup.sequence });
    const [held] = lineageViews(seen).filter(({ lineageId }) => lineageId === 'held');
    expect(held).toMatchObject({ status });
    expect(held?.eviction).toBe(status === 'evicted' ? 'LEASE_EXPIRED' : undefined);
    expect(ownedPathsOf(seen)).toHaveLength(status === 'held' ? 2 : 0);
    const lineage = workgroup.lineages.get('held');
    expect(lineage && viewOf(lineageAsOf(lineage, now), WORKGROUP)).toEqual(held);
  });

  it('of one that left says why it did', () => {
    const gone = three().lineage('gone');
    expect(gone && lineageAsOf(gone, OVER)).toBe(gone);
    expect(gone && viewOf(gone, WORKGROUP)).toMatchObject({ status: 'evicted', eviction: 'INCOMPATIBLE' });
  });

  it('of all is sorted by id, whatever became of whom', () => {
    const decided = DecidedWorkgroup.opened();
    for (const lineageId of ['c', 'a', 'b']) {
      decided.held(lineageId);
      decided.now += 1;
    }
    decided.held('0');
    decided.give(decideEvict, { tenantId: TENANT, lineageId: 'c', reason: 'INCOMPATIBLE' });
    expect(lineageViews(decided.workgroup).map(({ lineageId }) => lineageId)).toEqual(['0', 'a', 'b', 'c']);
  });

  it('of what is owned is sorted by path', () => {
    const decided = three();
    decided.held('other', { ownedFiles: ['libs/z', 'apps'], leaseMs: 1000 });
    const held = { lineageId: 'held', role: 'indexer', phase: '1A', fence: 2, expiresAt: timeOf(OVER) };
    const other = { ...held, lineageId: 'other', fence: 5, expiresAt: timeOf(NOON + 1000) };
    expect(ownedPathsOf(decided.workgroup)).toEqual([
      { path: 'apps', ...other },
      { path: 'docs', ...held },
      { path: 'libs/z', ...other },
      { path: 'src', ...held },
    ]);
  });
});
