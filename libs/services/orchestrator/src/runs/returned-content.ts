import type { JsonObject, TokenCounts } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';
import { redactJson, renderMessage, returnedMessage } from '@palimpsest/transcript';
import { modelLoopOf, type ReturnedContent } from '@palimpsest/workflow';
import type { ExecutionPorts } from '../orchestrator-ports.js';
import type { WorkflowRun } from './workflow-run.js';

type Child = { readonly childRunId: string; readonly outputs: JsonObject };

/**
 * Makes what a child returned durable before its parent's log refers to it: without secrets, as one message, the same
 * however often it is asked for. Undefined where no model reads it: there was nothing, a script decides, or the host has no
 * model.
 */
export async function storeReturned(
  ports: ExecutionPorts,
  run: WorkflowRun,
  { childRunId, outputs }: Child,
): Promise<ReturnedContent | undefined> {
  const { artifacts, tokens } = ports;
  const worker = run.state.loop?.worker;
  if (!artifacts || worker?.childRunId !== childRunId || Object.keys(outputs).length === 0) return undefined;
  if (!(await isModelLoop(ports, run))) return undefined;
  const { workerId, began } = worker;
  const content = returnedMessage({ workerId, began, outputs: redactJson(outputs) });
  const origin = `returned:${run.runId}:${childRunId}`;
  const [artifactId] = await artifacts.put(run.tenantId, run.runId, [{ type: 'message', origin, content }]);
  const [counts] = await tokens.countAll([renderMessage(content)]);
  return made(artifactId, counts);
}

async function isModelLoop({ definitions }: ExecutionPorts, { state }: WorkflowRun): Promise<boolean> {
  const version = await definitions.version(state.workflowDigest);
  return version !== undefined && modelLoopOf(version.definition) !== undefined;
}

function made(artifactId: string | undefined, counts: TokenCounts | undefined): ReturnedContent {
  if (artifactId === undefined || !counts)
    throw new TerminalError('internal_error', 'A service answered for fewer texts than it was given.');
  return { artifactId, counts };
}
