import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { ServiceUnavailableError, type Logger } from '@palimpsest/kernel';
import { retryDelayMs, serverOptions } from './connection-options.js';

export type NatsLinkOptions = { readonly url: string; readonly name: string; readonly logger: Logger };

const HANDSHAKE_TIMEOUT_MS = 2000;
/** A server that went silent is noticed after three of these. */
const PING_EVERY_MS = 10_000;
const FLUSH_TIMEOUT_MS = 1000;
const USUAL_MAX_PAYLOAD = 1024 * 1024;

/**
 * One connection for the life of the process. It is dialled until it stands and again when it is lost, for ever;
 * subscriptions made on it come back by themselves. While it is down nothing is buffered: what was said into a
 * dead connection would come out at a time when nobody expects it.
 */
export class NatsLink {
  readonly #logger: Logger;
  readonly #onUp = new Set<(connection: NatsConnection) => void>();
  readonly #onLoss = new Set<() => void>();
  readonly #closing = new AbortController();
  readonly #dialling: Promise<void>;
  #connection: NatsConnection | undefined;
  #up = false;
  #maxPayload = USUAL_MAX_PAYLOAD;
  /** Dials since the connection was lost. */
  #attempts = 0;

  constructor(private readonly options: NatsLinkOptions) {
    this.#logger = options.logger;
    // Whoever waits for the connection listens, and lets go: how many there are is no sign of a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#dialling = this.#dial();
  }

  get isUp(): boolean {
    return this.#up;
  }

  /** What the server takes in one message, in bytes; of the last server seen. */
  get maxPayload(): number {
    return this.#maxPayload;
  }

  /** The connection, or `ServiceUnavailableError` at once while it is down. */
  live(): NatsConnection {
    if (!this.#up || !this.#connection) throw new ServiceUnavailableError('The message bus');
    return this.#connection;
  }

  /** Waits for the connection; undefined where the time passes first, or the wait is called off. */
  async waitUntilUp(waitMs: number, calledOff?: AbortSignal): Promise<NatsConnection | undefined> {
    const ends = [this.#closing.signal, ...(calledOff ? [calledOff] : [])];
    if (this.#up || ends.some((signal) => signal.aborted)) return this.#connection;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#onUp.delete(done);
        for (const signal of ends) signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#onUp.add(done);
      for (const signal of ends) signal.addEventListener('abort', done);
    });
    return this.#up ? this.#connection : undefined;
  }

  /** Runs each time the connection comes up, and at once where it stands. */
  onUp(run: (connection: NatsConnection) => void): () => void {
    this.#onUp.add(run);
    if (this.#up && this.#connection) run(this.#connection);
    return () => this.#onUp.delete(run);
  }

  onLoss(run: () => void): () => void {
    this.#onLoss.add(run);
    return () => this.#onLoss.delete(run);
  }

  /** Resolves when the server has taken all that was sent, or does not say so for a second. */
  async flush(): Promise<void> {
    if (!this.#up || !this.#connection) return;
    const flushed = this.#connection.flush().catch(() => undefined);
    await Promise.race([flushed, pause(FLUSH_TIMEOUT_MS, undefined, { ref: false })]);
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    await this.flush();
    this.#closing.abort();
    await this.#dialling;
    await this.#connection?.close();
    this.#lose();
  }

  async #dial(): Promise<void> {
    for (let attempt = 1; !this.#closing.signal.aborted; attempt += 1) {
      try {
        const connection = await connect(this.#connectOptions());
        this.#connection = connection;
        void this.#watch(connection);
        this.#rise(connection);
        return;
      } catch (error) {
        this.#logger.warn({ attempt, reason: nameOf(error) }, 'the bus server cannot be reached');
      }
      await pause(retryDelayMs(attempt), undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  #connectOptions(): Parameters<typeof connect>[0] {
    return {
      ...serverOptions(this.options.url),
      name: this.options.name,
      timeout: HANDSHAKE_TIMEOUT_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectDelayHandler: () => retryDelayMs(this.#attempts),
      // Credentials may be put right while we wait.
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
    };
  }

  async #watch(connection: NatsConnection): Promise<void> {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        this.#logger.warn({ server: status.server }, 'bus connection lost');
        this.#lose();
      } else if (status.type === 'reconnecting') {
        this.#attempts += 1;
      } else if (status.type === 'reconnect') {
        this.#logger.info({ attempts: this.#attempts }, 'bus connection restored');
        this.#rise(connection);
      } else if (status.type === 'error') {
        this.#logger.warn({ reason: nameOf(status.error) }, 'the bus server reports an error');
      }
    }
    this.#lose();
  }

  #rise(connection: NatsConnection): void {
    this.#up = true;
    this.#attempts = 0;
    this.#maxPayload = connection.info?.max_payload ?? this.#maxPayload;
    for (const run of [...this.#onUp]) run(connection);
  }

  #lose(): void {
    if (!this.#up) return;
    this.#up = false;
    for (const run of [...this.#onLoss]) run();
  }
}

/** A class name is safe to log; a message may quote what was sent. */
export function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
