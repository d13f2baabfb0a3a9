import {
  CURRENT_REPLAY_FLAGS,
  replayFlagsMember,
  RUN_STARTED,
  type JsonObject,
  type NewRunEvent,
  type ReplayFlags,
  type StartWorkflow,
} from '@palimpsest/contracts';
import { ENGINE_VERSION } from '../engine/engine-version.js';

/** `run.started` of a run that is not there yet, and how it will be derived. */
export function startRun(
  command: StartWorkflow,
  replayFlags: ReplayFlags = CURRENT_REPLAY_FLAGS,
): readonly NewRunEvent[] {
  const { tenantId, runId, workflowId, workflowDigest, inputs, defaults, bounds } = command;
  const { configurable, tags, metadata, scopeId, context, parentRunId, depth } = command;
  const payload = {
    workflowId,
    workflowDigest,
    rootRunId: runId,
    inputs,
    defaults,
    bounds,
    context,
    configurable,
    tags,
    metadata,
    scopeId,
    parentRunId,
    depth,
    engineVersion: ENGINE_VERSION,
    transport: 'rest',
    owner: { tenant: tenantId },
    ...replayFlagsMember(replayFlags),
  };
  return [{ type: RUN_STARTED, payload: defined(payload), schemaVersion: 1 }];
}

/** Without members that are `undefined`: they would be gone once the event is stored. */
function defined(payload: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as JsonObject;
}
