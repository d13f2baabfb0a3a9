import { InProcessBus, MemoryEventLog, MemoryStreamStore } from '@palimpsest/adapter-memory';
import { wakeRunSubject } from '@palimpsest/contracts';
import { RunTails } from './run-tails.js';

const run = { tenantId: 'acme', runId: 'run-1' };
const at = new Date('2026-01-01T00:00:00.000Z');

describe('the tails of runs', () => {
  let log: MemoryEventLog;
  let bus: InProcessBus;
  let tails: RunTails;
  let listening: number;
  beforeEach(() => {
    log = new MemoryEventLog();
    bus = new InProcessBus({ store: new MemoryStreamStore() });
    listening = 0;
    tails = new RunTails(log, {
      listen: async (subject, handler) => {
        listening += 1;
        const subscription = await bus.listen(subject, handler);
        return {
          close: () => {
            listening -= 1;
            return subscription.close();
          },
        };
      },
    });
  });
  afterEach(() => bus.close());

  it('listen once for all who wait on a run, and no longer when the last has gone', async () => {
    const heard = [0, 0];
    const one = await tails.listen(run, () => (heard[0]! += 1));
    const [two] = await Promise.all([
      tails.listen(run, () => (heard[1]! += 1)),
      tails.listen({ ...run, runId: 'run-2' }, () => undefined),
    ]);
    expect(listening).toBe(2);
    bus.notify(wakeRunSubject('acme', 'run-1'), {});
    await new Promise(setImmediate);
    expect(heard).toEqual([1, 1]);
    await one.close();
    bus.notify(wakeRunSubject('acme', 'run-1'), {});
    await new Promise(setImmediate);
    expect(heard).toEqual([1, 2]);
    await two.close();
    await two.close();
    expect(listening).toBe(1);
    const again = await tails.listen(run, () => undefined);
    expect(listening).toBe(2);
    await again.close();
  });

  it('end with the terminal event, and not before', async () => {
    const event = { type: 'run.started', payload: {}, schemaVersion: 1 };
    await log.append({ ...run, expectedHead: 'no-run', events: [event], at, workflowId: 'w' });
    const known = (await log.header('acme', 'run-1'))!;
    expect(await tails.read(known, 0)).toMatchObject({ events: [{ sequence: 0 }], ended: false });
    expect(await tails.read(known, 1)).toEqual({ events: [], ended: false });
    expect(await tails.read(known, 9)).toEqual({ events: [], ended: false });
    const last = { ...event, type: 'run.completed' };
    await log.append({ ...run, expectedHead: 0, events: [last], at, header: { status: 'completed' } });
    expect(await tails.read(known, 1)).toMatchObject({ events: [{ sequence: 1 }], ended: true });
    expect(await tails.read(known, 9)).toEqual({ events: [], ended: true });
    const ended = (await log.header('acme', 'run-1'))!;
    expect(await tails.read(ended, 2)).toEqual({ events: [], ended: true });
  });
});
