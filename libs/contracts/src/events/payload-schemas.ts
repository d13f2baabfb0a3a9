import type { z } from 'zod';
import * as loop from './loop-events.js';
import {
  INSTRUCTION_ADDED,
  instructionAddedSchema,
  MESSAGE_APPENDED,
  messageAppendedSchema,
  WINDOW_PLANNED,
  windowPlannedSchema,
} from './own-loop-events.js';
import {
  CONTEXT_SUMMARIZED,
  contextSummarizedSchema,
  RUN_CANCELLED,
  RUN_COMPLETED,
  RUN_FAILED,
  RUN_STARTED,
  runCompletedSchema,
  runStartedSchema,
} from './protocol-events.js';
import { PIN_ADDED, PIN_REMOVED, pinAddedSchema, pinRemovedSchema } from './pin-events.js';
import {
  REPLAY_DIVERGED,
  REPLAY_DIVERGED_AT_REFUSAL,
  replayDivergedAtRefusalSchema,
  replayDivergedSchema,
} from './replay-events.js';
import { RUN_OVERLAID, runOverlaidSchema } from './overlay-events.js';
import { PROVIDER_USAGE, providerUsageSchema } from './provider-usage.js';
import * as workflow from './workflow-events.js';

/** The payload's schema of every event type that this host emits (host specification §4). */
export const EVENT_PAYLOAD_SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  [RUN_STARTED]: runStartedSchema,
  [RUN_COMPLETED]: runCompletedSchema,
  [RUN_FAILED]: workflow.runFailedSchema,
  [RUN_CANCELLED]: workflow.runCancelledSchema,
  [CONTEXT_SUMMARIZED]: contextSummarizedSchema,
  [INSTRUCTION_ADDED]: instructionAddedSchema,
  [MESSAGE_APPENDED]: messageAppendedSchema,
  [WINDOW_PLANNED]: windowPlannedSchema,
  [workflow.NODE_STARTED]: workflow.nodeStartedSchema,
  [workflow.NODE_COMPLETED]: workflow.nodeCompletedSchema,
  [workflow.NODE_FAILED]: workflow.nodeFailedSchema,
  [workflow.NODE_SUSPENDED]: workflow.nodeSuspendedSchema,
  [workflow.NODE_RESUMED]: workflow.nodeResumedSchema,
  [workflow.NODE_RETRIED]: workflow.nodeRetriedSchema,
  [workflow.NODE_SKIPPED]: workflow.nodeSkippedSchema,
  [workflow.NODE_CANCELLED]: workflow.nodeCancelledSchema,
  [workflow.NODE_DISPATCHED]: workflow.nodeDispatchedSchema,
  [workflow.INTERRUPT_REQUESTED]: workflow.interruptRequestedSchema,
  [workflow.INTERRUPT_RESOLVED]: workflow.interruptResolvedSchema,
  [workflow.APPROVAL_RECEIVED]: workflow.approvalReceivedSchema,
  [workflow.CLARIFICATION_RESOLVED]: workflow.clarificationResolvedSchema,
  [workflow.CAP_BREACHED]: workflow.capBreachedSchema,
  [PROVIDER_USAGE]: providerUsageSchema,
  [loop.ORCHESTRATOR_DECIDED]: loop.orchestratorDecidedSchema,
  [loop.WORKFLOW_CHAIN_EVENT]: loop.workflowChainEventSchema,
  [loop.CONFIDENCE_ESCALATED]: loop.confidenceEscalatedSchema,
  [loop.VARIABLE_CHANGED]: loop.variableChangedSchema,
  [loop.WORKER_RETURNED]: loop.workerReturnedSchema,
  [PIN_ADDED]: pinAddedSchema,
  [PIN_REMOVED]: pinRemovedSchema,
  [RUN_OVERLAID]: runOverlaidSchema,
  [REPLAY_DIVERGED]: replayDivergedSchema,
  [REPLAY_DIVERGED_AT_REFUSAL]: replayDivergedAtRefusalSchema,
  [loop.RUN_CANCELLING]: loop.runCancellingSchema,
};
