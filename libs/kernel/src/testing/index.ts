export { eventLogContract, type EventLogContractOptions } from './event-log-contract.js';
export { type EventLogHarness } from './event-log/harness.js';
export { unfinishedRunsContract, type UnfinishedRunsHarness } from './unfinished-runs-contract.js';
export { waitUntil } from './wait-until.js';
export { artifactStoreContract } from './artifact-store-contract.js';
export { testTenantKey, type ArtifactStoreHarness } from './artifact-store/harness.js';
export { specificationOf } from './decider-specification.js';
export { messageBusContract } from './message-bus-contract.js';
export { type MessageBusHarness } from './message-bus/harness.js';
export { streamStoreContract, type StreamStoreHarness } from './stream-store-contract.js';
export { tokenCounterContract } from './token-counter-contract.js';
export { clockContract } from './clock-contract.js';
export { summarizerContract, type SummarizerHarness } from './summarizer-contract.js';
export {
  modelContract,
  type ModelHarness,
  type ScriptedReply,
  type ScriptedUsage,
  type SentRequest,
} from './model-contract.js';
