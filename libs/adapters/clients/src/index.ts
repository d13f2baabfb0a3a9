export { BusEventLog } from './bus-event-log.js';
export { RunLogClient } from './run-log-client.js';
export { OrchestratorClient } from './orchestrator-client.js';
export { AssemblerClient } from './assembler-client.js';
export { ReplayClient } from './replay-client.js';
export { RegistryClient } from './registry-client.js';
export { HttpArtifactStore } from './artifact-store/http-artifact-store.js';
export {
  type ArtifactConnectionOptions,
  type ArtifactTimeouts,
} from './artifact-store/artifact-connection.js';
