export {
  PalimpsestError,
  TerminalError,
  RetryableError,
  isPalimpsestError,
  hasCode,
  type ErrorOptions,
} from './errors/palimpsest-error.js';
export { toWireError, fromWireError, type WireError } from './errors/wire-error.js';
export {
  ValidationError,
  NotFoundError,
  SequenceConflictError,
  RunNotActiveError,
  ArtifactErasedError,
  PayloadTooLargeError,
  PrivateContentError,
  ContextRefusedError,
  isArtifactCorrupt,
  ServiceUnavailableError,
  UnsupportedEngineVersionError,
} from './errors/known-errors.js';
export {
  EffectPermit,
  permitEffects,
  requirePermit,
  ReplayEffectDeniedError,
  type PermittedRun,
} from './effect-permit.js';
export { parseAnswer, parseRequest } from './errors/parse-with.js';
export { systemClock, type Clock } from './ports/clock.js';
export { type IdSource } from './ports/id-source.js';
export { silentLogger, type Logger } from './ports/logger.js';
export { type CountTokens, type TokenCounter } from './ports/token-counter.js';
export {
  type Summarizer,
  type SummaryRequest,
  type SummaryMade,
  type SummarizedMessage,
} from './ports/summarizer.js';
export {
  ModelAbortedError,
  ModelAnswerInvalidError,
  ModelRateLimitedError,
  ModelRequestRefusedError,
  ModelUnavailableError,
  isModelError,
  type AnswerDefect,
  type AnswerForm,
  type Model,
  type ModelAnswer,
  type ModelError,
  type ModelFailure,
  type ModelMessage,
  type ModelOutage,
  type ModelRequest,
  type ModelUsage,
} from './ports/model.js';
export { canonicalSemanticRequest } from './model/semantic-request.js';
export { askedRequest, type AskedOfModel, type ModelName } from './model/asked-request.js';
export { providerUsageOf } from './provider-usage-of.js';
export {
  isErased,
  type ArtifactStore,
  type ArtifactReading,
  type ArtifactReference,
  type NewArtifact,
  type RunErasure,
  type StoredArtifact,
} from './ports/artifact-store.js';
export {
  LOG_START,
  type EventLog,
  type AppendRequest,
  type AppendResult,
  type CommittedEvent,
  type EventPage,
  type ExpectedHead,
  type ForkRequest,
  type ReEmitRequest,
  type ContextReferences,
  type ContextReferencesRequest,
  type HeaderChange,
  type ListRunsRequest,
  type LogCursor,
  type LogSubscription,
  type OnGrown,
  type UnfinishedRun,
  type UnfinishedRuns,
  type UnfinishedRunsRequest,
  type ReadRunRequest,
  type RunList,
} from './ports/event-log.js';
export {
  type MessageBus,
  type BusSubscription,
  type ConsumerOptions,
  type DeadLetter,
  type Delivery,
  type DurableMessage,
  type KeptLetter,
  type RequestOptions,
} from './ports/message-bus.js';
export {
  ARTIFACT_STORE,
  CLOCK,
  EVENT_LOG,
  ID_SOURCE,
  LOGGER,
  MESSAGE_BUS,
  TOKEN_COUNTER,
} from './ports/port-tokens.js';
export { type Decider } from './decider.js';
export { noRacePoints, type RacePoints } from './race-points.js';
export { OneAtATime } from './one-at-a-time.js';
export { canonicalJson, canonicalStored } from './canonical-json.js';
export { type ContentHash } from './artifacts/artifact-id.js';
export {
  encodeArtifact,
  openArtifact,
  sealArtifacts,
  type ArtifactRecord,
  type EncodedArtifact,
  type SealedArtifact,
} from './artifacts/sealed-artifact.js';
export { checkScope, isReadableScope, readableIds } from './artifacts/artifact-scope.js';
export { unreadableAmong } from './artifacts/unreadable.js';
export {
  type StreamAppend,
  type StreamDelivery,
  type StreamPosition,
  type StreamStore,
  type TakeRequest,
  type TakenMessage,
} from './ports/stream-store.js';
export { assertSubject, subjectMatches } from './bus/subjects.js';
export { DURABLE_OVERHEAD_BYTES, bodyText, encodeBody } from './bus/body.js';
export { reviveMessage } from './bus/revive-message.js';
export {
  DUPLICATE_WINDOW_MS,
  NO_OUTCOME,
  deliveryPolicy,
  outcomeOfFailure,
  type DeliveryPolicy,
  type FailureOutcome,
} from './bus/delivery-policy.js';
export { storableEvents, storableJson, type StorableEvent } from './event-log/storable-events.js';
export {
  causationInFork,
  checkForkPoint,
  lineageOfFork,
  sameForkOrConflict,
  type ForkLineage,
} from './event-log/fork-lineage.js';
export { settingsHolder } from './event-log/settings-holder.js';
export { contextReferencesOf } from './event-log/context-references.js';
export { eventPages, readEvents, type EventRange } from './event-log/read-events.js';
export { causeInFork, checkReEmissionHeads, checkReEmissionRange } from './event-log/re-emission.js';
export {
  contentHashOf,
  forkLink,
  forkRecordText,
  genesisLink,
  linkAfter,
  type ChainHash,
  type ForkRecord,
} from './event-log/chain.js';
export { chainAncestors } from './event-log/chain-ancestors.js';
export { replayFlagsOf } from './event-log/replay-flags-of.js';
export { isCausedEarlier } from './event-log/causes.js';
export {
  certificateStatement,
  nextArtifactsDigest,
  NO_ARTIFACTS,
} from './certificate/certificate-statement.js';
export { artifactsNamedBy } from './certificate/named-artifacts.js';
export { artifactStates } from './certificate/artifact-states.js';
export { certifiedEvent, certifiedRun } from './certificate/certificate-lines.js';
export { type CertificateCheck, type CertificateDifference } from './certificate/certificate-reader.js';
export { verifyCertificate, type CertificateVerdict } from './certificate/verify-certificate.js';
export {
  beginsOtherwise,
  ChainWalk,
  firstBrokenLink,
  type BrokenLink,
  type ChainRun,
} from './event-log/verify-chain.js';
export { placeOfRunListCursor, runListCursor, type RunListPlace } from './event-log/run-list-cursor.js';
export { LogPoller, type PollOptions } from './event-log/poll-log.js';
export { ndjsonLines } from './ndjson.js';
