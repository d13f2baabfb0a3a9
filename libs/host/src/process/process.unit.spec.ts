import { runIdSchema } from '@palimpsest/contracts';
import { silentLogger } from '@palimpsest/kernel';
import { shutDownOnSignal, type ShutdownOptions } from './graceful-shutdown.js';
import { createIdSource } from './id-source.js';

describe('ids', () => {
  it('are unlike each other and fit their schema', () => {
    const ids = createIdSource();
    const many = Array.from({ length: 1000 }, () => ids.runId());
    expect(new Set(many).size).toBe(1000);
    expect(many.every((id) => runIdSchema.safeParse(id).success)).toBe(true);
    expect(ids.requestId()).toMatch(/^req_[A-Za-z0-9_-]{22}$/);
  });
});

/** A process that can be told to stop, and says how it left. */
function fakeProcess(options: Pick<ShutdownOptions, 'close' | 'timeoutMs'>) {
  const listeners = new Map<string, () => void>();
  const left = new Promise<number>((resolve) => {
    shutDownOnSignal({
      logger: silentLogger,
      signals: { on: (signal, listener) => listeners.set(signal, listener), exit: resolve },
      ...options,
    });
  });
  return { left, send: (signal: string) => listeners.get(signal)?.() };
}

describe('a shutdown', () => {
  it.each(['SIGTERM', 'SIGINT'])('on %s drains, then leaves with 0', async (signal) => {
    let drained = false;
    const { left, send } = fakeProcess({
      timeoutMs: 10_000,
      close: async () => {
        await Promise.resolve();
        drained = true;
      },
    });
    send(signal);
    expect(await left).toBe(0);
    expect(drained).toBe(true);
  });

  it('leaves with 1 where draining fails', async () => {
    const { left, send } = fakeProcess({
      timeoutMs: 10_000,
      close: () => Promise.reject(new TypeError('x')),
    });
    send('SIGTERM');
    expect(await left).toBe(1);
  });

  it('leaves with 1 where draining takes too long, or a second signal comes', async () => {
    const never = () => new Promise<void>(() => undefined);
    const slow = fakeProcess({ timeoutMs: 1, close: never });
    slow.send('SIGTERM');
    expect(await slow.left).toBe(1);
    const impatient = fakeProcess({ timeoutMs: 100, close: never });
    impatient.send('SIGTERM');
    impatient.send('SIGINT');
    expect(await impatient.left).toBe(1);
  });
});
