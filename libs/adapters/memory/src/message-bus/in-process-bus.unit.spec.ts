import type { MessageBus } from '@palimpsest/kernel';
import { messageBusContract } from '@palimpsest/kernel/testing';
import { InProcessBus } from './in-process-bus.js';
import { MemoryStreamStore } from './memory-stream-store.js';

messageBusContract('in process, in memory', async () => {
  const store = new MemoryStreamStore();
  return {
    maxBodyBytes: 1024 * 1024,
    connect: async () => new InProcessBus({ store }),
    connectBeside: async (bus: MessageBus) => bus,
    removeStream: async () => undefined,
    close: async () => undefined,
  };
});
