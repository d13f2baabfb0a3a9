import type { WorkflowDefinition } from '@palimpsest/contracts';
import { recordedOutcome, type Effect, type EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { performEffect } from './perform-effect.js';
import { isReplay, type WorkflowRun } from './workflow-run.js';

/** `recordedAs` as of `recordedAsOf`. */
type AskingRun = WorkflowRun & { readonly recordedAs: string | undefined };

export type AskedEffect = {
  readonly effect: Effect;
  readonly definition: WorkflowDefinition;
  /** When performing it is of no use any more. */
  readonly until?: Date | undefined;
};

/**
 * What comes of an effect that a run asks for: it is performed, or, in a replay, taken from the record of its source. What
 * is neither is stopped by the guard of `performEffect`, and what is stopped there is a defect of the classification.
 */
export async function outcomeOfEffect(
  ports: ExecutionPorts,
  run: AskingRun,
  { effect, definition, until }: AskedEffect,
): Promise<EffectOutcome | undefined> {
  const recorded = fromRecord(ports, run, { effect, definition });
  if (recorded) return recorded;
  if (isReplay(run)) {
    const { tenantId, runId } = run;
    ports.logger.error(
      { tenantId, runId, effect: effect.kind },
      'A replay asks for an effect: it is stopped',
    );
  }
  return performEffect(ports, run, { effect, until });
}

function fromRecord(
  { classOf }: ExecutionPorts,
  { recordedAs }: AskingRun,
  { effect, definition }: AskedEffect,
): EffectOutcome | undefined {
  if (recordedAs === undefined) return undefined;
  return recordedOutcome(effect, { definition, sourceRunId: recordedAs, ...(classOf && { classOf }) });
}
