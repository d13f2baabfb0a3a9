import { tokenCounterContract } from '@palimpsest/kernel/testing';
import { WorkerTokenCounter } from './worker-token-counter.js';

tokenCounterContract('on the event loop and in a thread', () => new WorkerTokenCounter({ threads: 1 }));
tokenCounterContract('in threads', () => new WorkerTokenCounter({ threads: 2, inlineUnits: 0 }));
