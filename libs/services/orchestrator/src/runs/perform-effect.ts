import { permitEffects } from '@palimpsest/kernel';
import type { Effect, EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { lookAtChild } from './await-child.js';
import { cancelChildren } from './cancel-children.js';
import { startChild } from './start-child.js';
import type { WorkflowRun } from './workflow-run.js';

/**
 * Does what a run needs from outside; undefined while there is nothing to tell the run. May be done again, by anybody.
 * `until`: when that is of no use any more. @throws ReplayEffectDeniedError for a replay
 */
export async function performEffect(
  ports: ExecutionPorts,
  run: WorkflowRun,
  { effect, until }: { readonly effect: Effect; readonly until?: Date | undefined },
): Promise<EffectOutcome | undefined> {
  const permit = permitEffects(run);
  switch (effect.kind) {
    case 'decide': {
      const { kind: _, ...turn } = effect;
      return ports.planner ? ports.planner.decide({ ...turn, run, permit, until }) : undecidable(effect);
    }
    case 'ask-model': {
      const { kind: _, ...call } = effect;
      return ports.modelNodes.answer({ ...call, run, permit, until });
    }
    case 'perform': {
      const { kind: _, ...call } = effect;
      return ports.sideEffects.perform({ ...call, run, permit, until });
    }
    case 'start-child':
      return startChild(ports, run, { ...effect, permit });
    case 'await-child':
      return lookAtChild(ports, run, { childRunId: effect.childRunId, permit });
    case 'end-children': {
      const living = await cancelChildren(ports, run, { childRunIds: effect.childRunIds, permit });
      return living.length > 0 ? undefined : { kind: 'children-ended' };
    }
    default:
      return effect satisfies never;
  }
}

/**
 * How soon a run is looked at again that waits for children, or for a model that somebody else asks: who is at it goes on
 * with the run, but may die before.
 */
export function pollMsOf({ kind }: Effect): number {
  return kind === 'end-children' ? 1000 : 5000;
}

/** True where the log may grow while the effect is performed: by windows, summaries, and what models cost. */
export function growsLog({ kind }: Effect): boolean {
  return kind === 'decide' || kind === 'ask-model';
}

function undecidable({ iteration }: Extract<Effect, { kind: 'decide' }>): EffectOutcome {
  const message = 'This host has no model that could decide for the supervisor.';
  return { kind: 'undecided', iteration, error: { code: 'capability_required', message } };
}
