import type { Effect, EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { lookAtChild } from './await-child.js';
import { cancelChildren } from './cancel-children.js';
import { startChild } from './start-child.js';
import type { WorkflowRun } from './workflow-run.js';

/** Does what a run needs from outside; undefined while there is nothing to tell the run. May be done again, by anybody. */
export async function performEffect(
  ports: ExecutionPorts,
  run: WorkflowRun,
  effect: Effect,
): Promise<EffectOutcome | undefined> {
  switch (effect.kind) {
    case 'decide':
      return decide(ports, run, effect);
    case 'start-child':
      return startChild(ports, run, effect);
    case 'await-child':
      return lookAtChild(ports, run, effect.childRunId);
    case 'end-children': {
      const living = await cancelChildren(ports, run, effect.childRunIds);
      return living.length > 0 ? undefined : { kind: 'children-ended' };
    }
    default:
      return effect satisfies never;
  }
}

/** How soon a run is looked at again that waits for children: who ends a child tells its parent, but may die before. */
export function pollMsOf({ kind }: Effect): number {
  return kind === 'end-children' ? 1000 : 5000;
}

async function decide(
  { planner }: ExecutionPorts,
  { tenantId, runId, head }: WorkflowRun,
  { kind: _kind, ...turn }: Extract<Effect, { kind: 'decide' }>,
): Promise<EffectOutcome> {
  if (planner) return planner.decide({ tenantId, runId, head, ...turn });
  const message = 'This host has no model that could decide for the supervisor.';
  return { kind: 'undecided', iteration: turn.iteration, error: { code: 'capability_required', message } };
}
