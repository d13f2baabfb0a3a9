import { jest } from '@jest/globals';
import { MemoryEventLog } from '@palimpsest/adapter-memory';
import { ServiceUnavailableError, silentLogger, type DurableMessage } from '@palimpsest/kernel';
import { AdvanceSweep } from './advance-sweep.js';

const now = new Date('2026-01-01T01:00:00.000Z');
const minutesAgo = (minutes: number) => new Date(now.getTime() - minutes * 60_000);

describe('a sweep', () => {
  let log: MemoryEventLog;
  let published: DurableMessage[];
  let failing: boolean;
  let sweep: AdvanceSweep;
  beforeEach(() => {
    log = new MemoryEventLog();
    published = [];
    failing = false;
    const bus = {
      ensureStream: async () => undefined,
      publish: async (_: unknown, message: DurableMessage) => {
        if (failing) throw new ServiceUnavailableError('The bus');
        published.push(message);
      },
    };
    sweep = new AdvanceSweep({ runs: log, bus, clock: { now: () => now }, logger: silentLogger });
  });

  const write = (runId: string, at: Date) =>
    log.append({
      tenantId: 'acme',
      runId,
      expectedHead: 'no-run',
      workflowId: 'flow',
      events: [{ type: 'run.started', payload: {}, schemaVersion: 1 }],
      at,
    });

  it('asks for every run that has been quiet, beyond a page, and no younger one', async () => {
    for (let index = 0; index < 401; index += 1)
      await write(`run-${String(index).padStart(3, '0')}`, minutesAgo(3));
    await write('young', minutesAgo(1));
    await sweep.sweep();
    expect(published).toHaveLength(401);
    expect(published[400]).toEqual({
      id: 'advance:sweep:acme:run-400:0',
      subject: 'palimpsest.work.advance.acme',
      body: { tenantId: 'acme', runId: 'run-400' },
    });
  });

  it('comes again when those are quiet that were at work while the bus was away, once for many outages', async () => {
    jest.useFakeTimers();
    try {
      sweep.soon();
      await jest.advanceTimersByTimeAsync(60_000);
      sweep.soon();
      await write('run', minutesAgo(3));
      await jest.advanceTimersByTimeAsync(120_000);
      expect(published).toEqual([]);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(published).toHaveLength(1);
      sweep.soon();
      await sweep.close();
      sweep.soon();
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });

  it('comes at the start, and again when those are quiet that were young then', async () => {
    jest.useFakeTimers();
    try {
      sweep.start();
      await sweep.sweep();
      await write('run', minutesAgo(3));
      await jest.advanceTimersByTimeAsync(130_000);
      expect(published).toHaveLength(1);
    } finally {
      await sweep.close();
      jest.useRealTimers();
    }
  });

  it('survives a bus that is gone, and asks next time', async () => {
    await write('run', minutesAgo(3));
    failing = true;
    await sweep.sweep();
    expect(published).toEqual([]);
    failing = false;
    await Promise.all([sweep.sweep(), sweep.sweep()]);
    expect(published).toHaveLength(1);
    await sweep.close();
  });
});
