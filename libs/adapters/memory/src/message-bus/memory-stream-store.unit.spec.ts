import { streamStoreContract } from '@palimpsest/kernel/testing';
import { MemoryStreamStore } from './memory-stream-store.js';

streamStoreContract('memory', async () => ({
  store: new MemoryStreamStore(),
  close: async () => undefined,
}));
