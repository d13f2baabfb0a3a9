export { connectNatsBus, NatsBus, type NatsBusOptions } from './nats-bus.js';
export { type StreamLimits } from './streams.js';
