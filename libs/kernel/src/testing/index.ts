export { eventLogContract, type EventLogContractOptions } from './event-log-contract.js';
export { type EventLogHarness } from './event-log/harness.js';
export { waitUntil } from './wait-until.js';
export { artifactStoreContract } from './artifact-store-contract.js';
export { testTenantKey, type ArtifactStoreHarness } from './artifact-store/harness.js';
export { specificationOf } from './decider-specification.js';
export { messageBusContract } from './message-bus-contract.js';
export { type MessageBusHarness } from './message-bus/harness.js';
export { streamStoreContract, type StreamStoreHarness } from './stream-store-contract.js';
