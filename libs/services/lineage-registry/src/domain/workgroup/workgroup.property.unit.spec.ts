import fc from 'fast-check';
import type { DecidedWorkgroup, Outcome } from '../../testing/decided-workgroup.js';
import { Holders } from '../../testing/holders.js';
import { WORKGROUP } from '../../testing/lineage-records.js';
import { acts, warmWorkgroup, type Act } from '../../testing/workgroup-acts.js';
import { evolve } from './evolve.js';
import { closedWorkgroup, type Lineage } from './workgroup.js';
import type { RecordedWorkgroupEvent } from './workgroup-events.js';

/** By segments: the contract's words (§4.2), not its implementation. */
function overlap(one: string, other: string): boolean {
  const segments = [one, other].map((path) => (path === '' ? [] : path.split('/')));
  const [short = [], long = []] = segments.sort((a, b) => a.length - b.length);
  return short.every((segment, place) => segment === long[place]);
}

function conflictsAmong(writers: readonly Lineage[]): readonly string[] {
  const owned = writers.flatMap(({ lineageId, ownedPaths }) =>
    ownedPaths.map((path) => ({ lineageId, path })),
  );
  return owned.flatMap((one, place) =>
    owned
      .slice(place + 1)
      .filter((other) => one.lineageId !== other.lineageId && overlap(one.path, other.path))
      .map((other) => `${one.lineageId} and ${other.lineageId} own ${one.path}`),
  );
}

/** What must never be, of those that hold something now. */
function wrongNow({ workgroup }: DecidedWorkgroup, { lineages }: Holders): readonly string[] {
  const held = [...workgroup.lineages.values()].filter(({ status }) => status === 'held');
  const inherited = held.filter(({ isWriter, grant }) => isWriter && /^(resume|inherit)/.test(grant));
  return [
    ...conflictsAmong(held.filter(({ isWriter }) => isWriter)),
    ...(inherited.length > 2 ? ['too many writers go on with context taken over'] : []),
    ...held.filter(({ depth }) => depth > 2).map(({ lineageId }) => `${lineageId} is too deep`),
    ...held
      .filter(({ lineageId, fence }) => lineages.get(lineageId)?.fence !== fence)
      .map(({ lineageId }) => `${lineageId} has a fence that was not granted`),
    ...(held.length === lineages.size ? [] : ['holders are not those of the events']),
  ];
}

const NOTHING_HELD = ['stale_fence', 'lineage_evicted', 'not_found'];

function wrote({ refusal, events }: Outcome<unknown>): boolean {
  const own = events.filter(({ payload }) => !('reason' in payload && payload.reason === 'LEASE_EXPIRED'));
  return own.length > 0 || !NOTHING_HELD.includes(refusal?.code ?? '');
}

/** Whose context each lineage has, by the events alone. */
function contexts({ log }: DecidedWorkgroup): ReadonlyMap<string, readonly string[]> {
  const roles = new Map<string, readonly string[]>();
  for (const event of log) {
    if (event.type !== 'palimpsest.lineage.registered') continue;
    const { record, inheritedFrom } = event.payload;
    const behind = inheritedFrom === null ? [] : (roles.get(inheritedFrom) ?? []);
    roles.set(event.lineageId, [record.role, ...behind]);
  }
  return roles;
}

function contaminatedReviewers(decided: DecidedWorkgroup): readonly string[] {
  return [...contexts(decided)]
    .filter(([, [role, ...behind]]) => role === 'reviewer' && behind.includes('builder'))
    .map(([lineageId]) => `${lineageId} reviews with a builder's context`);
}

type Run = { readonly decided: DecidedWorkgroup; readonly holders: Holders; readonly names: string[] };

function take({ decided, holders, names }: Run, act: Act): readonly string[] {
  const { name, under, run } = act(decided);
  const isStale = under !== undefined && !holders.holds(under, decided.now);
  const outcome = run();
  const place = decided.log.length - outcome.events.length;
  for (const event of decided.log.slice(place)) holders.note(event);
  names.push(outcome.refusal?.code ?? name);
  return [
    ...(isStale && wrote(outcome) ? [`${name} under a stale fence`] : []),
    ...wrongNow(decided, holders),
  ];
}

/** What the runs came to: a property of what never happens says nothing of acts that nobody took. */
const WANTED = [
  ...['register', 'resume', 'inherit', 'renew', 'release', 'reconcile', 'result', 'evict', 'keep'],
  ...['writer_scope_conflict', 'lineage_held', 'lineage_evicted', 'resume_refused', 'stale_fence'],
  ...['helper of builder', 'reviewer of helper'],
];
/** Rounds of 30 runs; one or two are enough nearly always. */
const MOST_ROUNDS = 20;

it('nobody ever shares a lineage or a path, no reviewer has a builder’s context by any chain, fences grow, stale ones write nothing, and the events tell all', () => {
  const seen = new Set<string>();
  const property = fc.property(acts, (steps) => {
    const decided = warmWorkgroup();
    const run: Run = { decided, holders: new Holders(), names: [] };
    for (const event of decided.log) run.holders.note(event);
    const wrong = steps.flatMap(({ passed, act }) => {
      decided.now += passed;
      return take(run, act);
    });
    expect([...wrong, ...run.holders.violations, ...contaminatedReviewers(decided)]).toEqual([]);
    for (const roles of contexts(decided).values()) seen.add(roles.join(' of '));
    const told = JSON.parse(JSON.stringify(decided.log)) as readonly RecordedWorkgroupEvent[];
    expect(told.reduce(evolve, closedWorkgroup(WORKGROUP))).toEqual(decided.workgroup);
    for (const name of run.names) seen.add(name);
  });
  const missing = () => WANTED.filter((name) => !seen.has(name));
  for (let round = 0; round < MOST_ROUNDS && missing().length > 0; round += 1)
    fc.assert(property, { numRuns: 30 });
  expect(missing()).toEqual([]);
});
