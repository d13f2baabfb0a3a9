import type { Scenario } from '../scenario.js';
import { scenario as agentLoopIterationMonotonic } from './agent-loop-iteration-monotonic.js';
import { scenario as agentLoopStatefulResume } from './agent-loop-stateful-resume.js';
import { scenario as agentLoopVersion5Shape } from './agent-loop-version5-shape.js';
import { scenario as appendOrdering } from './append-ordering.js';
import { scenario as approvalPayload } from './approval-payload.js';
import { scenario as artifactAuth } from './artifact-auth.js';
import { scenario as auth } from './auth.js';
import { scenario as bulkCancel } from './bulk-cancel.js';
import { scenario as cancellation } from './cancellation.js';
import { scenario as capBreach } from './cap-breach.js';
import { scenario as configurableSchema } from './configurable-schema.js';
import { scenario as contextBudgetTranscriptBound } from './context-budget-transcript-bound.js';
import { scenario as contextSummarizationReplay } from './context-summarization-replay.js';
import { scenario as crossHostAncestryEndpoint } from './cross-host-ancestry-endpoint.js';
import { scenario as crossHostCausationShape } from './cross-host-causation-shape.js';
import { scenario as discovery } from './discovery.js';
import { scenario as dispatchCrossWorkerHandoff } from './dispatch-cross-worker-handoff.js';
import { scenario as dispatchInputMapping } from './dispatch-input-mapping.js';
import { scenario as dispatchLoop } from './dispatch-loop.js';
import { scenario as dispatchOutputMappingRegistered } from './dispatch-output-mapping-registered.js';
import { scenario as dispatchOutputMapping } from './dispatch-output-mapping.js';
import { scenario as errorEnvelopeCanonicalShape } from './error-envelope-canonical-shape.js';
import { scenario as errors } from './errors.js';
import { scenario as eventOrdering } from './event-ordering.js';
import { scenario as failurePath } from './failure-path.js';
import { scenario as highConcurrency } from './high-concurrency.js';
import { scenario as idempotencyRetry } from './idempotency-retry.js';
import { scenario as idempotency } from './idempotency.js';
import { scenario as identityPassthrough } from './identity-passthrough.js';
import { scenario as interruptApproval } from './interrupt-approval.js';
import { scenario as interruptClarification } from './interrupt-clarification.js';
import { scenario as interruptExternalEventCorrelation } from './interrupt-external-event-correlation.js';
import { scenario as interruptRace } from './interrupt-race.js';
import { scenario as interruptTokenMatrix } from './interrupt-token-matrix.js';
import { scenario as multiAgentConfidenceEscalation } from './multi-agent-confidence-escalation.js';
import { scenario as multiAgentHandoffStateMachine } from './multi-agent-handoff-state-machine.js';
import { scenario as multiNodeOrdering } from './multi-node-ordering.js';
import { scenario as orchestratorConservativePath } from './orchestrator-conservative-path.js';
import { scenario as orchestratorDispatch } from './orchestrator-dispatch.js';
import { scenario as orchestratorTermination } from './orchestrator-termination.js';
import { scenario as poll } from './poll.js';
import { scenario as protocolVersionGrammar } from './protocol-version-grammar.js';
import { scenario as providerUsageCredentialLeak } from './provider-usage-credential-leak.js';
import { scenario as providerUsage } from './provider-usage.js';
import { scenario as rateLimitEnvelope } from './rate-limit-envelope.js';
import { scenario as replayDeterminism } from './replay-determinism.js';
import { scenario as replayDivergenceAtRefusal } from './replay-divergence-at-refusal.js';
import { scenario as replayForkArbitrary } from './replay-fork-arbitrary.js';
import { scenario as replayForkIdempotency } from './replay-fork-idempotency.js';
import { scenario as replayFork } from './replay-fork.js';
import { scenario as replayLlmCacheKey } from './replay-llm-cache-key.js';
import { scenario as replayRetentionExpiry } from './replay-retention-expiry.js';
import { scenario as replaySideEffectSuppression } from './replay-side-effect-suppression.js';
import { scenario as restartDuringRun } from './restart-during-run.js';
import { scenario as routeCoverage } from './route-coverage.js';
import { scenario as runExecutionBounds } from './run-execution-bounds.js';
import { scenario as runTransportEconomy } from './run-transport-economy.js';
import { scenario as runsLifecycle } from './runs-lifecycle.js';
import { scenario as streamModesBuffer } from './stream-modes-buffer.js';
import { scenario as streamModesMixed } from './stream-modes-mixed.js';
import { scenario as streamModes } from './stream-modes.js';
import { scenario as streamReconnect } from './stream-reconnect.js';
import { scenario as terminalBehaviour } from './terminal-behaviour.js';
import { scenario as testSeamUnauthenticated } from './test-seam-unauthenticated.js';
import { scenario as versionFold } from './version-fold.js';
import { scenario as versionNegotiation } from './version-negotiation.js';
import { scenario as workflowRead } from './workflow-read.js';

/** Every row, in the order of the specification; the last two want what the others left behind. */
export const SCENARIOS: readonly Scenario[] = [
  discovery,
  protocolVersionGrammar,
  versionNegotiation,
  auth,
  errors,
  errorEnvelopeCanonicalShape,
  routeCoverage,
  artifactAuth,
  workflowRead,
  testSeamUnauthenticated,
  runTransportEconomy,
  runsLifecycle,
  failurePath,
  cancellation,
  identityPassthrough,
  multiNodeOrdering,
  eventOrdering,
  appendOrdering,
  terminalBehaviour,
  idempotency,
  idempotencyRetry,
  poll,
  streamModes,
  streamModesBuffer,
  streamModesMixed,
  streamReconnect,
  highConcurrency,
  bulkCancel,
  configurableSchema,
  capBreach,
  runExecutionBounds,
  versionFold,
  interruptApproval,
  interruptClarification,
  approvalPayload,
  interruptRace,
  interruptExternalEventCorrelation,
  interruptTokenMatrix,
  orchestratorDispatch,
  orchestratorTermination,
  orchestratorConservativePath,
  dispatchLoop,
  dispatchOutputMapping,
  dispatchOutputMappingRegistered,
  dispatchInputMapping,
  dispatchCrossWorkerHandoff,
  multiAgentHandoffStateMachine,
  multiAgentConfidenceEscalation,
  agentLoopVersion5Shape,
  agentLoopIterationMonotonic,
  agentLoopStatefulResume,
  crossHostCausationShape,
  crossHostAncestryEndpoint,
  replayFork,
  replayForkArbitrary,
  replayForkIdempotency,
  replayDeterminism,
  replayRetentionExpiry,
  replayLlmCacheKey,
  replayDivergenceAtRefusal,
  replaySideEffectSuppression,
  contextBudgetTranscriptBound,
  contextSummarizationReplay,
  providerUsage,
  providerUsageCredentialLeak,
  restartDuringRun,
  rateLimitEnvelope,
];
