export { startWireServer, type WireServer, type WireServerOptions } from './wire-server.js';
export { type WireReply } from './wire-reply.js';
export { type WireFormat, type WireRequest } from './wire-request.js';
export { openModelHarness, type ModelHarnessOptions } from './model-harness.js';
export { handOffUntil, LoopBrain, type LoopBrainOptions, type LoopCall } from './loop-brain.js';
export { commonPrefix, promptOf } from './prompt-cache.js';
