import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type JetStreamClient,
  type JetStreamManager,
  type StreamConfig,
  type StreamInfo,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';
import {
  DUPLICATE_WINDOW_MS,
  DURABLE_OVERHEAD_BYTES,
  encodeBody,
  isPalimpsestError,
  ServiceUnavailableError,
  TerminalError,
  type DeliveryPolicy,
  type DurableMessage,
  type Logger,
} from '@palimpsest/kernel';
import type { StreamSpec } from '@palimpsest/contracts';
import { retryDelayMs } from './connection-options.js';
import { nameOf, type NatsLink } from './nats-link.js';

export type StreamLimits = {
  /** Of a `limits` stream. Default 14 days. */
  readonly maxAgeMs?: number;
  /** Of a `limits` stream; the server reserves them. Default 512 MiB. */
  readonly maxBytes?: number;
  /** Default 1. */
  readonly replicas?: number;
};

export type JetStream = { readonly client: JetStreamClient; readonly manager: JetStreamManager };

const API_TIMEOUT_MS = 1000;
/** How long a stream operation is tried before the caller is told. */
const GIVE_UP_AFTER_MS = 1500;
const STREAM_NOT_FOUND = 10059;
const STREAM_NAME_IN_USE = 10058;
const CONSUMER_EXISTS = new Set([10013, 10148]);

/**
 * A message that waits for its retry stays "pending" for the server. The bound must not be the number of hands,
 * or failing messages would hold up all others; each instance pulls no more than it has hands for.
 */
const MAX_ACK_PENDING = 10_000;

/** What this process needs on the server: made where it is missing, and again after the server has lost it. */
export class Streams {
  readonly #declared = new Map<string, StreamSpec>();
  #jetstream: { readonly connection: NatsConnection; readonly api: Promise<JetStream> } | undefined;

  constructor(
    private readonly link: NatsLink,
    private readonly limits: StreamLimits,
    private readonly logger: Logger,
  ) {
    link.onUp(() => void this.#ensureDeclared());
  }

  /** While the server is down the stream is only noted; it is made as soon as the connection stands. */
  async ensure(stream: StreamSpec): Promise<void> {
    this.#declared.set(stream.name, stream);
    if (!this.link.isUp) {
      this.logger.warn({ stream: stream.name }, 'the bus is down: the stream is made later');
      return;
    }
    await this.#retrying(stream.name, () => this.#ensureNow(stream));
  }

  /** Resolves with the server's acknowledgement. A stream that has vanished is made again. */
  async publish(stream: StreamSpec, message: DurableMessage): Promise<void> {
    const payload = encodeBody(message.body, this.link.maxPayload - DURABLE_OVERHEAD_BYTES);
    await this.#retrying(stream.name, async (attempt) => {
      if (attempt > 1) await this.#ensureNow(stream);
      const { client } = await this.api();
      await client.publish(message.subject, payload, {
        msgID: message.id,
        timeout: API_TIMEOUT_MS,
        expect: { streamName: stream.name },
      });
    });
  }

  /** One attempt: the stream and the durable stand when it resolves. */
  async ensureDurable(stream: StreamSpec, durable: string, policy: DeliveryPolicy): Promise<void> {
    await this.#ensureNow(stream);
    const { manager } = await this.api();
    // No limit of deliveries: the server would leave an exhausted message where it is. The consumer counts itself.
    const changeable = {
      ack_wait: nanos(policy.ackWaitMs),
      max_ack_pending: MAX_ACK_PENDING,
      max_deliver: -1,
    };
    try {
      await manager.consumers.add(stream.name, {
        durable_name: durable,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        ...changeable,
      });
    } catch (error) {
      if (!CONSUMER_EXISTS.has(apiCode(error) ?? 0)) throw error;
      await manager.consumers.update(stream.name, durable, changeable);
    }
  }

  /** The JetStream interfaces of the connection, which must stand. */
  api(): Promise<JetStream> {
    const connection = this.link.live();
    if (this.#jetstream?.connection !== connection) {
      const options = { timeout: API_TIMEOUT_MS };
      const client = jetstream(connection, options);
      const api = jetstreamManager(connection, { ...options, checkAPI: false });
      this.#jetstream = { connection, api: api.then((manager) => ({ client, manager })) };
    }
    return this.#jetstream.api;
  }

  async #ensureNow(stream: StreamSpec): Promise<void> {
    const { manager } = await this.api();
    try {
      assertShape(stream, await manager.streams.info(stream.name));
    } catch (error) {
      if (apiCode(error) !== STREAM_NOT_FOUND) throw error;
      await this.#create(manager, stream);
      this.logger.info({ stream: stream.name, kind: stream.kind }, 'stream created');
    }
  }

  async #create(manager: JetStreamManager, stream: StreamSpec): Promise<void> {
    try {
      await manager.streams.add(streamConfig(stream, this.limits));
    } catch (error) {
      // Somebody else made it in between.
      if (apiCode(error) !== STREAM_NAME_IN_USE) throw error;
      assertShape(stream, await manager.streams.info(stream.name));
    }
  }

  async #ensureDeclared(): Promise<void> {
    for (const stream of this.#declared.values()) {
      try {
        await this.#retrying(stream.name, () => this.#ensureNow(stream));
      } catch (error) {
        this.logger.warn({ stream: stream.name, reason: nameOf(error) }, 'stream not ensured');
      }
    }
  }

  /** Tries until it works, cannot work, or the time is over. A lost connection is waited for. */
  async #retrying(stream: string, run: (attempt: number) => Promise<void>): Promise<void> {
    const giveUpAt = performance.now() + GIVE_UP_AFTER_MS;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await run(attempt);
      } catch (error) {
        const failure = streamFailure(error);
        const delay = retryDelayMs(attempt);
        const left = giveUpAt - performance.now() - delay;
        if (failure instanceof TerminalError || left <= 0) throw failure;
        this.logger.debug({ stream, attempt, reason: nameOf(error) }, 'stream operation tried again');
        await pause(delay);
        await this.link.waitUntilUp(left);
      }
    }
  }
}

function streamConfig(stream: StreamSpec, limits: StreamLimits): Partial<StreamConfig> & { name: string } {
  return {
    name: stream.name,
    subjects: [stream.subject],
    storage: StorageType.File,
    retention: stream.kind === 'work' ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    discard: DiscardPolicy.Old,
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    num_replicas: limits.replicas ?? 1,
    ...(stream.kind === 'limits' && {
      max_age: nanos(limits.maxAgeMs ?? 14 * 24 * 3600 * 1000),
      max_bytes: limits.maxBytes ?? 512 * 1024 * 1024,
    }),
  };
}

/** Limits may have been tuned by an operator; what a stream takes and when it forgets may not. */
function assertShape(stream: StreamSpec, info: StreamInfo): void {
  const isWork = info.config.retention === RetentionPolicy.Workqueue;
  if (isWork === (stream.kind === 'work') && info.config.subjects?.includes(stream.subject)) return;
  throw new TerminalError('internal_error', 'The stream exists on the server, with another shape.', {
    details: { stream: stream.name },
  });
}

function apiCode(error: unknown): number | undefined {
  return error instanceof JetStreamApiError ? error.code : undefined;
}

/** The server's refusal of what was asked is final; everything else may pass. */
export function streamFailure(error: unknown): Error {
  if (isPalimpsestError(error)) return error;
  const refused = error instanceof JetStreamApiError && error.status >= 400 && error.status < 500;
  if (refused && error.code !== STREAM_NOT_FOUND) {
    return new TerminalError('internal_error', 'The bus server refuses the operation.', {
      details: { reason: error.code },
      cause: error,
    });
  }
  return new ServiceUnavailableError('The message bus', { cause: error });
}
