export { InProcessBus, type InProcessBusOptions } from './message-bus/in-process-bus.js';
export { MemoryStreamStore } from './message-bus/memory-stream-store.js';
export { systemTimers, type Timers } from './message-bus/timers.js';
export {
  MemoryArtifactStore,
  type MemoryArtifactStoreOptions,
} from './artifact-store/memory-artifact-store.js';
export { MemoryEventLog } from './event-log/memory-event-log.js';
