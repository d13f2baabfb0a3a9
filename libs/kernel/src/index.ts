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
  ServiceUnavailableError,
} from './errors/known-errors.js';
export { systemClock, type Clock } from './ports/clock.js';
export { type IdSource } from './ports/id-source.js';
export { silentLogger, type Logger } from './ports/logger.js';
export { type CountTokens, type TokenCounter } from './ports/token-counter.js';
export { type Summarizer, type SummaryRequest, type SummarizedMessage } from './ports/summarizer.js';
export {
  isErased,
  type ArtifactStore,
  type ArtifactReading,
  type NewArtifact,
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
  type HeaderChange,
  type ListRunsRequest,
  type LogCursor,
  type LogSubscription,
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
  type RequestOptions,
} from './ports/message-bus.js';
export {
  ARTIFACT_STORE,
  CLOCK,
  EVENT_LOG,
  ID_SOURCE,
  LOGGER,
  MESSAGE_BUS,
  SUMMARIZER,
  TOKEN_COUNTER,
} from './ports/port-tokens.js';
export { type Decider } from './decider.js';
export { noRacePoints, type RacePoints } from './race-points.js';
