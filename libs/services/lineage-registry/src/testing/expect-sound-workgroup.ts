import { overlapsScope, scopeOf } from '@palimpsest/context-efficiency';
import { evolve } from '../domain/workgroup/evolve.js';
import {
  closedWorkgroup,
  MOST_DEPTH,
  MOST_INHERITED_WRITERS,
  type Lineage,
  type Workgroup,
} from '../domain/workgroup/workgroup.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';

/** Grants take the next fence; every other event under a lineage is its holder's. */
function expectFence(before: Workgroup, event: RecordedWorkgroupEvent): void {
  const { type } = event;
  if (!('fence' in event.payload)) return;
  const { fence } = event.payload;
  if (type === 'palimpsest.lineage.registered' || type === 'palimpsest.lineage.resumed')
    return expect(fence).toBe(before.lastFence + 1);
  if (!('lineageId' in event)) return;
  expect(before.lineages.get(event.lineageId)).toMatchObject({ status: 'held', fence });
}

function expectOneWriterPerPath({ lineages }: Workgroup): void {
  const writers = [...lineages.values()].filter(({ status, isWriter }) => status === 'held' && isWriter);
  for (const [place, writer] of writers.entries()) {
    const scope = scopeOf(writer.ownedPaths);
    const others = writers.slice(place + 1).flatMap(({ ownedPaths }) => ownedPaths);
    expect(others.filter((path) => overlapsScope(scope, path))).toEqual([]);
  }
  const inherited = writers.filter(({ grant }) => grant === 'resume' || grant.startsWith('inherit'));
  expect(inherited.length).toBeLessThanOrEqual(MOST_INHERITED_WRITERS);
}

function expectResumedFromIdle(before: Workgroup, event: RecordedWorkgroupEvent): void {
  if (event.type === 'palimpsest.lineage.registered')
    expect(before.lineages.has(event.lineageId)).toBe(false);
  if (event.type === 'palimpsest.lineage.resumed')
    expect(before.lineages.get(event.lineageId)).toMatchObject({ status: 'idle' });
}

function isTooDeep({ depth }: Lineage): boolean {
  return depth > MOST_DEPTH;
}

/** What holds after each event of a workgroup, whoever raced; gives what they fold to. */
export function expectSoundWorkgroup(
  workgroupId: string,
  events: readonly RecordedWorkgroupEvent[],
): Workgroup {
  let workgroup = closedWorkgroup(workgroupId);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place));
  const times = events.map(({ recordedAt }) => recordedAt);
  expect(times).toEqual([...times].sort());
  for (const event of events) {
    expectFence(workgroup, event);
    expectResumedFromIdle(workgroup, event);
    workgroup = evolve(workgroup, event);
    expectOneWriterPerPath(workgroup);
    expect([...workgroup.lineages.values()].filter(isTooDeep)).toEqual([]);
  }
  return workgroup;
}
