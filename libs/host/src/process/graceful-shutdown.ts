import type { Logger } from '@palimpsest/kernel';

/** The part of `process` that a shutdown needs. */
export type SignalSource = {
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): void;
};

export type ShutdownOptions = {
  /** Stops taking work, waits for what is at work, closes connections. */
  readonly close: () => Promise<void>;
  readonly timeoutMs: number;
  readonly logger: Logger;
  readonly signals?: SignalSource;
};

/** On SIGTERM or SIGINT: drain, then leave with 0; with 1 where draining fails, takes too long, or a second signal comes. */
export function shutDownOnSignal(options: ShutdownOptions): void {
  const signals: SignalSource = options.signals ?? process;
  let closing = false;
  const onSignal = (signal: string): void => {
    if (closing) return signals.exit(1);
    closing = true;
    options.logger.info({ signal }, 'Shutting down');
    void drain(options).then((code) => signals.exit(code));
  };
  signals.on('SIGTERM', () => onSignal('SIGTERM'));
  signals.on('SIGINT', () => onSignal('SIGINT'));
}

async function drain({ close, timeoutMs, logger }: ShutdownOptions): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  try {
    if ((await Promise.race([close(), late])) !== 'late') return 0;
    logger.error({ timeoutMs }, 'Gave up waiting for work to finish');
    return 1;
  } catch (err) {
    logger.error({ err }, 'Shutting down failed');
    return 1;
  } finally {
    clearTimeout(timer);
  }
}
