import type { RunError, StartWorkflow, WorkflowDefinition } from '@palimpsest/contracts';
import { redactJson } from '@palimpsest/transcript';
import { isPalimpsestError, requirePermit, type EffectPermit } from '@palimpsest/kernel';
import { checkRunRequest, offendingNode, type Effect, type EffectOutcome } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import { CHILD_CREATED, HAND_OFF_BEGAN } from '../race-points.js';
import type { WorkflowRun } from './workflow-run.js';

type StartChild = Extract<Effect, { kind: 'start-child' }> & { readonly permit: EffectPermit };

/**
 * Starts the child run of a handoff, once: its id and its command are functions of the parent's log. It has its parent's
 * tenant and settings of windows, and bounds that are its parent's at most.
 */
export async function startChild(
  ports: ExecutionPorts,
  run: WorkflowRun,
  effect: StartChild,
): Promise<EffectOutcome> {
  const { childRunId } = effect;
  requirePermit(effect.permit, run, 'start-child');
  await ports.races.reach(HAND_OFF_BEGAN);
  const error = await refusalOf(() => start(ports, run, effect));
  // What a worker's id means may have changed since the child was started.
  if (error && !(await isStarted(ports, run, childRunId)))
    return { kind: 'child-refused', childRunId, error };
  await ports.races.reach(CHILD_CREATED);
  return { kind: 'child-started', childRunId };
}

/** What speaks against the child for good; what may pass is thrown on. */
async function refusalOf(work: () => Promise<RunError | undefined>): Promise<RunError | undefined> {
  try {
    return await work();
  } catch (error) {
    if (!isPalimpsestError(error) || error.retryable) throw error;
    const { code, message, details } = error;
    return { code, message, ...(details && { details: details as NonNullable<RunError['details']> }) };
  }
}

async function start(
  ports: ExecutionPorts,
  run: WorkflowRun,
  { childRunId, workerId, inputs }: StartChild,
): Promise<RunError | undefined> {
  const depth = (run.state.depth ?? 0) + 1;
  if (depth > ports.maxChildDepth) return tooDeep(ports.maxChildDepth);
  const workflow = await ports.definitions.inForce(run.tenantId, workerId);
  if (!workflow || !isStartable(workflow.definition)) return unknownChild(workerId);
  const { definition, digest } = workflow;
  const offending = offendingNode(definition);
  if (offending) return notExecuted(offending.typeId);
  const { scopeId, bounds, context } = run.state;
  const checked = checkRunRequest(definition, { inputs, configurable: {} }, bounds);
  const command: StartWorkflow = {
    tenantId: run.tenantId,
    runId: childRunId,
    workflowId: definition.id,
    workflowDigest: digest,
    inputs: redactJson(inputs) as StartWorkflow['inputs'],
    defaults: redactJson(checked.defaults) as StartWorkflow['defaults'],
    bounds: checked.bounds,
    ...(scopeId !== undefined && { scopeId }),
    ...(context && { context }),
    parentRunId: run.runId,
    depth,
    commandId: `dispatch-${childRunId}`,
  };
  await ports.childRuns.startWorkflow(command);
  return undefined;
}

async function isStarted(
  { eventLog }: ExecutionPorts,
  { tenantId, runId }: WorkflowRun,
  childRunId: string,
): Promise<boolean> {
  const header = await eventLog.header(tenantId, childRunId);
  return header?.state['parentRunId'] === runId;
}

function isStartable({ isActive = true, status = 'active' }: WorkflowDefinition): boolean {
  return isActive && status === 'active';
}

function unknownChild(workerId: string): RunError {
  const message = 'The worker names no workflow that this host can start.';
  return { code: 'unknown_child_workflow', message, details: { workerId } };
}

function notExecuted(typeId: string): RunError {
  const message = 'The worker has a node of a type that this host does not run.';
  return { code: 'capability_required', message, details: { typeId } };
}

function tooDeep(limit: number): RunError {
  const message = 'Runs that start each other are nested too deeply.';
  return { code: 'child_depth_exceeded', message, details: { limit } };
}
