import {
  decideDispatch,
  selectRollout,
  textWorkspace,
  type DispatchDecision,
  type RolloutSelection,
} from '@palimpsest/context-efficiency';
import type { ContextMode, Delegate, DelegationView } from '@palimpsest/contracts/registry';
import type { RolloutStanding } from '../rollout/rollout.js';
import { timeOf } from '../workgroup/deciding.js';
import type { Decision } from '../workgroup/decision.js';
import { inOpenWorkgroup } from '../workgroup/expire-leases.js';
import { delegationTelemetry } from './delegation-telemetry.js';
import { delegationView, type DelegationRecorded } from './delegation-view.js';
import { dispatchRequest, rolloutFacts } from './dispatch-request.js';
import { isFree, isResumable, verdictOnNamed } from './judge-named.js';
import { standingOf, type Standing } from './standing.js';
import { statedOtherwise } from './stated-otherwise.js';
import { unitFacts, unitPaths, type UnitFacts } from './unit-facts.js';

/** What is asked, and what the registry adds to it. */
export type Delegation = {
  readonly command: Delegate;
  /** Of the environment and the family that the command names. */
  readonly rollout: RolloutStanding;
  /** The same for the same command. */
  readonly delegationId: string;
};

/**
 * How a unit of work is handed on: the contract's dispatch (§11) over recorded state, and by §8 whether that is what is
 * done. Refused with `not_found` where the workgroup or a named lineage is unknown, and with `context_refused` where the
 * contract refuses; no delegation is recorded then. A lineage that somebody works as is not compatible, whatever its state;
 * an evicted one has no lease, and is judged so.
 */
export const decideDelegation = inOpenWorkgroup<Delegation, DelegationView>((workgroup, delegation, now) => {
  const standing = standingOf(workgroup, delegation.command);
  return recorded(delegation, dispatched(delegation, standing, now), now);
});

type Dispatched = {
  readonly standing: Standing;
  readonly unit: UnitFacts;
  readonly dispatch: DispatchDecision;
  readonly selection: RolloutSelection;
  readonly actualMode: ContextMode;
};

/** The dispatch's own selection has the routed mode for both modes (contract §11, 6), so what is done is selected here. */
function dispatched({ command, rollout }: Delegation, standing: Standing, now: number): Dispatched {
  const unit = unitFacts(command, standing);
  const dispatch = decideDispatch(dispatchRequest(command, unit, { standing, rollout }), {
    workspace: textWorkspace,
    clock: now,
    recorded: unit.recorded,
    isHeld: !isFree(command, standing),
  });
  const actualMode = command.actualMode ?? 'fresh-capsule';
  const selection = selectRollout({
    ...rolloutFacts(command, rollout),
    actual_mode: actualMode,
    recommended_mode: dispatch.routing.mode,
  });
  return { standing, unit, dispatch, selection, actualMode };
}

function recorded(
  { command, rollout, delegationId }: Delegation,
  decided: Dispatched,
  now: number,
): Decision<DelegationView> {
  const { standing, dispatch, selection, actualMode } = decided;
  const { workgroupId, sequence } = standing.workgroup;
  const recordedAt = timeOf(now);
  const event: DelegationRecorded = {
    type: 'palimpsest.delegation.recorded',
    payload: { delegationId, ...statedUnit(command, decided), ...decidedFor(command, decided, rollout) },
  };
  return {
    events: [event],
    telemetry: delegationTelemetry(command, standing, {
      delegationId,
      recordedAt,
      route: dispatch.routing,
      selection,
      actualMode,
      rollout,
    }),
    answer: delegationView(workgroupId, event, { sequence: sequence + 1, recordedAt }),
  };
}

type Recorded = DelegationRecorded['payload'];
type Decided =
  | 'compatibleLineage'
  | 'lineage'
  | 'mode'
  | 'reasonCodes'
  | 'selectedMode'
  | 'rollout'
  | 'resultMode'
  | 'differences';

function statedUnit(
  command: Delegate,
  { standing, unit }: Dispatched,
): Omit<Recorded, Decided | 'delegationId'> {
  return {
    taskId: command.taskId,
    nodeId: command.nodeId,
    phase: standing.workgroup.phase,
    role: command.role,
    ownedPaths: [...unitPaths(unit)],
    dependenciesReady: command.dependenciesReady,
    coupling: command.coupling,
    sensitivity: command.sensitivity,
    independentReviewer: command.independentReviewer,
    expectedReuse: command.expectedReuse,
    ...(standing.parent && { parentLineageId: standing.parent.lineageId }),
  };
}

function decidedFor(
  command: Delegate,
  { standing, dispatch, selection, actualMode }: Dispatched,
  { environment, family }: RolloutStanding,
): Pick<Recorded, Decided> {
  const { routing, result_policy: result } = dispatch;
  const lineage = verdictOnNamed(dispatch.lineage, command, standing);
  const { lineage: named } = standing;
  return {
    compatibleLineage: named && isResumable(lineage, command, standing) ? named.lineageId : null,
    lineage: lineage && { state: lineage.state, invalidations: [...lineage.invalidations] },
    mode: routing.mode,
    reasonCodes: [...routing.reason_codes],
    selectedMode: selection.selected_mode ?? actualMode,
    rollout: {
      environment,
      family,
      stage: selection.rollout,
      executeRecommendation: selection.execute_recommendation,
      canaryBucket: selection.canary_bucket,
    },
    resultMode: result?.mode ?? null,
    differences: [...statedOtherwise(command, standing, lineage)],
  };
}
