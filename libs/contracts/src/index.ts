export {
  TOKEN_COUNTERS,
  tokenCounterSchema,
  tokenCountsSchema,
  type TokenCounterName,
  type TokenCounts,
} from './token-counts.js';
export { type JsonValue, type JsonObject } from './json.js';
export {
  isStorableText,
  isStorableJson,
  storableTextSchema,
  storableJsonObjectSchema,
  trustedJsonObjectSchema,
} from './storable-json.js';
export { OWN_LOOP_STATE_TYPES, startedOwnLoop, foldOwnLoop, type PlacedEvent } from './own-loop-fold.js';
export {
  runIdSchema,
  tenantIdSchema,
  artifactIdSchema,
  sequenceSchema,
  eventIdOf,
  placeOfEventId,
} from './ids.js';
export {
  TERMINAL_EVENT_TYPES,
  isTerminalEventType,
  ownLoopStatusAfter,
  type RunEvent,
  type RecordedEvent,
  type NewRunEvent,
  type RunEventNotice,
} from './run-event.js';
export { RUN_STATUSES, runStatusSchema, isTerminalStatus, type RunStatus } from './run-status.js';
export {
  CONTEXT_STRATEGIES,
  contextRequestSchema,
  contextSettingsSchema,
  type ContextStrategy,
  type ContextRequest,
  type ContextSettings,
} from './context-settings.js';
export { toolCallSchema, chatMessageSchema, type ChatMessageInput } from './chat-messages.js';
export {
  ARTIFACT_TYPES,
  type MessageRole,
  type ToolCall,
  type MessageContent,
  type SummaryFact,
  type SummaryContent,
  type RenderingContent,
  type ArtifactType,
} from './message-content.js';
export {
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  WINDOW_PLANNED,
  EXTERNAL_WORKFLOW,
  instructionAddedSchema,
  messageAppendedSchema,
  windowPlannedSchema,
  forkOriginSchema,
  type InstructionAdded,
  type MessageAppended,
  type WindowPlanned,
  type ForkOrigin,
} from './events/own-loop-events.js';
export {
  RUN_STARTED,
  RUN_COMPLETED,
  RUN_FAILED,
  RUN_CANCELLED,
  CONTEXT_SUMMARIZED,
  runStartedSchema,
  runCompletedSchema,
  contextSummarizedSchema,
  type ContextSummarized,
} from './events/protocol-events.js';
export { errorEnvelopeSchema, ERROR_STATUS, type ErrorEnvelope, type ErrorCode } from './error-envelope.js';
export {
  LOG_PAGE_EVENTS,
  LOG_PAGE_BYTES,
  PAYLOAD_BYTES,
  newRunEventSchema,
  appendEventsSchema,
  appendedEventsSchema,
  readEventsSchema,
  recordedEventSchema,
  eventPageSchema,
  readHeaderSchema,
  headerAnswerSchema,
  listRunsSchema,
  runListSchema,
  forkLogSchema,
  type AppendEvents,
  type ReadEvents,
  type ListRuns,
  type ForkLog,
} from './commands/event-log-requests.js';
export {
  RUN_LOG_SUBJECTS,
  commandIdSchema,
  createRunSchema,
  messageDraftSchema,
  appendMessagesSchema,
  finishRunSchema,
  appendedMessagesSchema,
  runHeaderSchema,
  ownLoopStateSchema,
  type CreateRun,
  type MessageDraft,
  type AppendMessages,
  type FinishRun,
  type AppendedMessages,
  type RunHeader,
  type OwnLoopState,
} from './commands/run-log-commands.js';
export {
  ASSEMBLER_SUBJECTS,
  planWindowSchema,
  readWindowSchema,
  runQuerySchema,
  usageQuerySchema,
  windowEntrySchema,
  instructionEntrySchema,
  windowPlanSchema,
  FATES,
  fateRangeSchema,
  windowExplanationSchema,
  usageRowSchema,
  usageSchema,
  verificationSchema,
  type PlanWindow,
  type ReadWindow,
  type RunQuery,
  type UsageQuery,
  type WindowEntry,
  type InstructionEntry,
  type WindowPlan,
  type Fate,
  type FateRange,
  type WindowExplanation,
  type UsageRow,
  type Usage,
  type Verification,
} from './commands/assembler-commands.js';
export {
  summaryJobSchema,
  summaryResultSchema,
  type SummaryJob,
  type SummaryResult,
} from './commands/summary-jobs.js';
export {
  REPLAY_SUBJECTS,
  forkRunSchema,
  forkedRunSchema,
  type ForkRun,
  type ForkedRun,
} from './commands/replay-commands.js';
export {
  STREAMS,
  runEventSubject,
  summarizeSubject,
  deadLetterSubject,
  summaryDoneSubject,
  wakeRunSubject,
  type StreamSpec,
} from './bus-topology.js';
export {
  ARTIFACT_TRANSFER,
  ARTIFACT_ROUTES,
  type ArtifactPutLine,
  type ArtifactReadLine,
} from './artifact-transfer.js';
