import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { BusEventLog } from '@palimpsest/adapter-clients';
import { systemClock } from '@palimpsest/kernel';
import { eventLogContract } from '@palimpsest/kernel/testing';
import { answerRequests } from './answer-requests.js';

async function openOverTheBus() {
  const bus = new InProcessBus({ store: new MemoryStreamStore() });
  await answerRequests(bus, { eventLog: new MemoryEventLog(), clock: systemClock });
  return { log: new BusEventLog(bus), close: () => bus.close() };
}

eventLogContract('over the bus', openOverTheBus, { wholeLog: false, hugePayloads: false });

describe('the whole log', () => {
  it('is not read over the bus', async () => {
    const { log, close } = await openOverTheBus();
    await expect(log.readAll()).rejects.toMatchObject({
      code: 'internal_error',
      details: { operation: 'readAll' },
    });
    expect(() => log.subscribe()).toThrow(expect.objectContaining({ details: { operation: 'subscribe' } }));
    await close();
  });
});
