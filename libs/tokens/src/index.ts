export { countAll, countTokens } from './count-tokens.js';
export { fitHead } from './fit-head.js';
export { fitTail } from './fit-tail.js';
export { WorkerTokenCounter, type WorkerTokenCounterOptions } from './worker-token-counter.js';
