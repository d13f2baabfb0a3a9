import fc from 'fast-check';
import { decideAdvancePhase, decideApprove, decideCoordinate } from '../domain/workgroup/coordinate.js';
import type { Decide } from '../domain/workgroup/deciding.js';
import { decideEvict } from '../domain/workgroup/evict.js';
import { decideRelease, decideRenew } from '../domain/workgroup/hold-lineage.js';
import { decideInherit } from '../domain/workgroup/inherit.js';
import { decideReconcile } from '../domain/workgroup/reconcile.js';
import { decideRecordResult } from '../domain/workgroup/record-result.js';
import { decideRegister } from '../domain/workgroup/register.js';
import { decideResume } from '../domain/workgroup/resume.js';
import type { Lineage } from '../domain/workgroup/workgroup.js';
import { DecidedWorkgroup, type Outcome } from './decided-workgroup.js';
import {
  currentFacts,
  digest,
  inheritCommand,
  recordFacts,
  registerCommand,
  resumeCommand,
  TENANT,
  WORKGROUP,
} from './lineage-records.js';

/** What somebody does in a workgroup, once it is known how that stands. */
export type Act = (decided: DecidedWorkgroup) => Attempt;

export type Attempt = {
  readonly name: string;
  /** Where it is done under a fence: of the lineage, or of the seat. */
  readonly under?: { readonly lineageId?: string; readonly fence: number };
  readonly run: () => Outcome<unknown>;
};

const KEY = { tenantId: TENANT, workgroupId: WORKGROUP };

function attempt<Command>(
  name: string,
  decide: Decide<Command, unknown>,
  commandIn: (decided: DecidedWorkgroup) => Command,
): Act {
  return (decided) => {
    const command = commandIn(decided);
    const { fence, lineageId } = command as { readonly fence?: number; readonly lineageId?: string };
    const under = fence === undefined ? undefined : { fence, ...(lineageId !== undefined && { lineageId }) };
    return { name, ...(under && { under }), run: () => decided.act(decide, command) };
  };
}

/** One of those that the workgroup knows: of the wanted status first, and newer ones first. */
function known({ workgroup }: DecidedWorkgroup, place: number, wanted: Lineage['status']): string {
  const newest = [...workgroup.lineages.values()].reverse();
  const isWanted = ({ status }: Lineage): boolean => status === wanted;
  const ordered = [...newest.filter(isWanted), ...newest.filter((lineage) => !isWanted(lineage))];
  return ordered[place % Math.max(ordered.length, 1)]?.lineageId ?? 'nobody';
}

function fresh({ workgroup }: DecidedWorkgroup): string {
  return `lineage-${workgroup.lineages.size}`;
}

/** One in which somebody is warm already. */
export function warmWorkgroup(): DecidedWorkgroup {
  const decided = DecidedWorkgroup.opened();
  for (const path of ['x/y', 'v', 'u']) {
    const writer = `writer-of-${path.slice(0, 1)}`;
    decided.idle(writer, { record: recordFacts(writer, { role: 'builder' }), ownedFiles: [path] });
  }
  decided.idle('reader');
  return decided;
}

const place = fc.constantFrom(0, 0, 0, 1, 2, 5);
const leaseMs = fc.constantFrom(1000, 60_000, 600_000);
/** How far from the right fence: mostly not at all. */
const off = fc.constantFrom(0, 0, 0, 0, -1, 1);
const ownedFiles = fc.oneof(
  { weight: 2, arbitrary: fc.constant<string[]>([]) },
  {
    weight: 6,
    arbitrary: fc.subarray(['x', 'x/y', 'X/Y/z', 'xy', 'v', 'v/w', './u'], { minLength: 1, maxLength: 2 }),
  },
  { weight: 1, arbitrary: fc.constant<string[]>(['.']) },
);
const seldom = <Value>(usual: Value, other: Value) =>
  fc.oneof({ weight: 14, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constant(other) });
const current = fc
  .record({
    capsule_hash: seldom(digest('2'), digest('9')),
    scope_complete: seldom(false, true),
    sensitivity: seldom('normal', 'restricted'),
  })
  // Asked by who has the lineage's role: it may be another one's, of another lineage.
  .map((facts) => (decided: DecidedWorkgroup, lineageId: string) => {
    const { role = 'indexer' } = decided.lineage(lineageId)?.record ?? {};
    return currentFacts({ ...facts, role });
  });
/** Who builds, who reviews, and who may stand between them. */
const role = fc.constantFrom('builder', 'reviewer', 'helper', 'indexer');

const coordinating = fc
  .record({
    off,
    leaseMs,
    takeOver: fc.boolean(),
    phase: seldom('1A' as const, '1B' as const),
    finalGate: seldom(false, true),
  })
  .chain(({ off: by, phase, finalGate, ...lease }) => {
    const seat = ({ workgroup }: DecidedWorkgroup) => ({ ...KEY, fence: (workgroup.seat?.fence ?? 1) + by });
    return fc.constantFrom(
      attempt('coordinate', decideCoordinate, () => ({ ...KEY, ...lease })),
      attempt('keep', decideCoordinate, (decided) => ({ ...seat(decided), leaseMs: lease.leaseMs })),
      attempt('advance', decideAdvancePhase, (decided) => ({ ...seat(decided), phase })),
      attempt('approve', decideApprove, (decided) => ({ ...seat(decided), subject: 'plan', finalGate })),
    );
  });

const beginning = fc
  .record({ place, nested: fc.boolean(), role, ownedFiles, leaseMs, current })
  .chain(({ place: at, nested, role: childRole, current: factsOf, ...asked }) => {
    const inherit = attempt('inherit', decideInherit, (decided) => {
      const parentId = known(decided, at, 'held');
      const record = recordFacts(fresh(decided), { role: childRole });
      const facts = { current: factsOf(decided, parentId), record, ...asked };
      return inheritCommand(parentId, fresh(decided), facts);
    });
    const register = attempt('register', decideRegister, (decided) => {
      const record = recordFacts(fresh(decided), {
        role: childRole,
        parent_lineage_id: nested ? known(decided, at, 'held') : null,
      });
      return registerCommand(fresh(decided), { record, ...asked });
    });
    return fc.constantFrom(register, register, inherit);
  });

const resuming = fc
  .record({ place, current, ownedFiles: fc.option(ownedFiles, { nil: undefined }), leaseMs })
  .map(({ place: at, ...asked }) => {
    const given = { leaseMs: asked.leaseMs, ...(asked.ownedFiles && { ownedFiles: asked.ownedFiles }) };
    return attempt('resume', decideResume, (decided) => {
      const lineageId = known(decided, at, 'idle');
      return resumeCommand(lineageId, { current: asked.current(decided, lineageId), ...given });
    });
  });

const holding = fc
  .record({ place, off, leaseMs, scopeComplete: seldom(false, true) })
  .chain(({ place: at, off: by, leaseMs: lease, scopeComplete }) => {
    const one = (decided: DecidedWorkgroup) => ({ tenantId: TENANT, lineageId: known(decided, at, 'held') });
    const held = (decided: DecidedWorkgroup) => {
      const key = one(decided);
      return { ...key, fence: (decided.lineage(key.lineageId)?.fence ?? 1) + by };
    };
    const capsuleHash = digest('2');
    const release = attempt('release', decideRelease, (decided) => ({
      ...held(decided),
      warmMs: lease,
      scopeComplete,
    }));
    return fc.constantFrom(
      release,
      release,
      release,
      attempt('renew', decideRenew, (decided) => ({ ...held(decided), leaseMs: lease })),
      attempt('result', decideRecordResult, (decided) => ({ ...held(decided), taskId: 'task', policy: {} })),
      attempt('reconcile', decideReconcile(true), (decided) => ({ ...held(decided), capsuleHash })),
      attempt('reconcile as anybody', decideReconcile(true), (decided) => ({ ...one(decided), capsuleHash })),
      attempt('evict', decideEvict, (decided) => ({ ...one(decided), reason: 'INCOMPATIBLE' as const })),
    );
  });

/** Acts, and the time that passes before each. */
export const acts: fc.Arbitrary<readonly { readonly passed: number; readonly act: Act }[]> = fc.array(
  fc.record({
    passed: fc.constantFrom(0, 0, 0, 1, 499, 1000),
    act: fc.oneof(
      { weight: 1, arbitrary: coordinating },
      { weight: 3, arbitrary: beginning },
      { weight: 3, arbitrary: resuming },
      { weight: 4, arbitrary: holding },
    ),
  }),
  { minLength: 25, maxLength: 50, size: 'max' },
);
