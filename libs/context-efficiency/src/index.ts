export { MESSAGES, type ContextCode } from './answers/codes.js';
export { ContextRefusal } from './answers/context-refusal.js';
export {
  answerOperation,
  answerStream,
  refusalWith,
  type ContextAnswer,
  type RequestStream,
} from './answers/answer.js';
export { OPERATION_NAMES, type Surroundings } from './answers/operations.js';
export { MAX_REQUEST_BYTES, collectRequest, parseRequest } from './answers/request.js';
export { factOf, factsOf, isFacts, isTruthy, type Facts } from './json/facts.js';
export { canonicalJson } from './json/canonical-json.js';
export { digestOf } from './hashing/digests.js';
export {
  MODES,
  PHASES,
  REASONS,
  SENSITIVITIES,
  STRATA,
  type Mode,
  type Phase,
  type Reason,
  type Sensitivity,
  type Stratum,
} from './vocabulary/words.js';
export { instantOf, isDateTime } from './vocabulary/date-time.js';
export { isCorpusId, isDigest } from './vocabulary/identifiers.js';
export { textWorkspace, type OpenWorkspace, type Workspace } from './paths/workspace.js';
export {
  ownedPaths,
  pathReader,
  type CanonicalPath,
  type ReadPath,
  type RecordedPaths,
} from './paths/owned-paths.js';
export { liesInScope, overlapsScope, overlapWithin, scopeOf, type PathScope } from './paths/path-scope.js';
export { isPrivateCapsuleValue } from './privacy/capsule-marks.js';
export { holdsFurtherKey, holdsPrivateValue } from './privacy/registry-values.js';
export {
  holdsOnlyRecord,
  knownCurrent,
  knownRecord,
  knownResultPart,
  knownResultPolicy,
  knownRouting,
} from './known/known-facts.js';
export { decideRoute, type RouteOptions } from './route/decide-route.js';
export { type RouteDecision } from './route/route-decision.js';
export { isWriterRole } from './route/route-unit.js';
export { isContaminated } from './route/reuse.js';
export {
  evaluateLineage,
  type Invalidation,
  type LineageState,
  type LineageVerdict,
} from './lineage/evaluate-lineage.js';
export {
  LINEAGE_FIELDS,
  LINEAGE_SCHEMA,
  isLineageRecord,
  unfitLineageField,
  type LineageRecord,
} from './lineage/lineage-record.js';
export { DEFAULT_CAPSULE_BYTES, makeCapsule } from './capsule/make-capsule.js';
export { CAPSULE_SCHEMA, type Capsule, type SealedCapsule } from './capsule/capsule-schema.js';
export { recordEvent } from './telemetry/record-event.js';
export { EVENT_SCHEMA, EVENT_WORDS, type EfficiencyEvent } from './telemetry/efficiency-event.js';
export { STAGES, selectRollout, type RolloutSelection, type Stage } from './rollout/select-rollout.js';
export { canaryBucket } from './rollout/canary-bucket.js';
export { decideResult, type ResultMode, type ResultPolicy } from './result-policy/decide-result.js';
export { decideDelta, type DeltaDecision } from './vault-delta/decide-delta.js';
export { hashOfDelta, readDelta, type KnowledgeDelta } from './vault-delta/knowledge-delta.js';
export { decideDispatch, type DispatchDecision, type DispatchOptions } from './dispatch/decide-dispatch.js';
export {
  evaluatePromotion,
  promotionReport,
  type PromotionOptions,
  type PromotionVerdict,
} from './promotion/evaluate-promotion.js';
export { ENVELOPE_SCHEMA, isRunId } from './promotion/measurement-envelope.js';
export { type GateName, type GateVerdict, type ProvenanceCause } from './promotion/gates.js';
export { PUBLISHED, type Thresholds } from './promotion/thresholds.js';
export {
  planLoading,
  type LoadingFacts,
  type LoadingReason,
  type LoadingStep,
  type Resource,
} from './loading/plan-loading.js';
export {
  DEFAULT_MCP_HEALTH_TTL_MINUTES,
  decideMcpHealth,
  type McpHealth,
  type McpHealthDecision,
  type McpHealthQuestion,
} from './loading/mcp-health.js';
export {
  acceptDelta,
  emptyQueue,
  flushAtGate,
  flushWriter,
  type KnowledgeQueue,
  type PendingDelta,
  type QueueStep,
  type VaultCall,
} from './loading/knowledge-queue.js';
