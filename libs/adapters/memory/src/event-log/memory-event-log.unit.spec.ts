import { eventLogContract, unfinishedRunsContract } from '@palimpsest/kernel/testing';
import { MemoryEventLog } from './memory-event-log.js';

eventLogContract('memory', async () => ({
  log: new MemoryEventLog({ pollIntervalMs: 5, retryBaseMs: 1 }),
  close: async () => undefined,
}));

unfinishedRunsContract('memory', async () => ({
  log: new MemoryEventLog(),
  close: async () => undefined,
}));
