import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { errorEnvelopeSchema } from '@palimpsest/contracts';
import { fromWireError, isPalimpsestError, ServiceUnavailableError, TerminalError } from '@palimpsest/kernel';
import { Agent, type Dispatcher } from 'undici';

export type ArtifactTimeouts = {
  /** Longest wait for a connection. Default 1000. */
  readonly connectMs?: number;
  /** Longest wait for the first byte of an answer, once the request is sent. Default 5000. */
  readonly responseMs?: number;
};

export type ArtifactConnectionOptions = {
  /** As the listener's `listen` returns it, e.g. `http://artifact-store:7410`. */
  readonly baseUrl: string;
  readonly serviceToken: string;
  readonly timeouts?: ArtifactTimeouts;
};

export type ArtifactRequest = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly mediaType?: string;
  /** Called once for each attempt: a stream can be sent only once. */
  readonly body?: () => string | Readable;
};

/** Waits between attempts. Every operation of the store can be repeated, so that any lost connection may be. */
const BACKOFF_MS = [25, 100];

/** A lost connection is not tried again after this long: whoever asked is told within 2 s. */
const RETRY_WITHIN_MS = 900;

const CONNECTIONS = 64;

/** Keep-alive connections to one artifact store. */
export class ArtifactConnection {
  private readonly agent: Agent;
  private readonly origin: string;
  private readonly basePath: string;
  private readonly authorization: string;

  constructor({ baseUrl, serviceToken, timeouts = {} }: ArtifactConnectionOptions) {
    const { connectMs = 1000, responseMs = 5000 } = timeouts;
    const url = new URL(baseUrl);
    this.origin = url.origin;
    this.basePath = url.pathname.replace(/\/$/, '');
    this.authorization = `Bearer ${serviceToken}`;
    this.agent = new Agent({
      connections: CONNECTIONS,
      connect: { timeout: connectMs },
      headersTimeout: responseMs,
      bodyTimeout: responseMs,
    });
  }

  /** Asks and decodes; decoding is part of an attempt, as the connection may be lost in the middle of an answer. */
  async ask<Answer>(request: ArtifactRequest, decode: (body: Readable) => Promise<Answer>): Promise<Answer> {
    const started = performance.now();
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.attempt(request, decode);
      } catch (error) {
        const backoffMs = isLostConnection(error) ? BACKOFF_MS[attempt] : undefined;
        if (backoffMs === undefined || performance.now() - started > RETRY_WITHIN_MS) throw ownError(error);
        await delay(backoffMs);
      }
    }
  }

  async close(): Promise<void> {
    await this.agent.close();
  }

  private async attempt<Answer>(
    { method, path, mediaType, body }: ArtifactRequest,
    decode: (body: Readable) => Promise<Answer>,
  ): Promise<Answer> {
    const answer = await this.agent.request({
      origin: this.origin,
      path: this.basePath + path,
      method,
      headers: { authorization: this.authorization, ...(mediaType && { 'content-type': mediaType }) },
      body: body?.() ?? null,
    });
    if (answer.statusCode < 300) return decode(answer.body);
    throw await refusalOf(answer);
  }
}

/** The error that the store named; an answer that is none of its own is never taken for "not there". */
async function refusalOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Error> {
  const envelope = errorEnvelopeSchema.safeParse(await body.json().catch(() => undefined));
  if (!envelope.success)
    return new TerminalError('internal_error', 'The artifact store gave an answer that is not its own.', {
      details: { status: statusCode },
    });
  const { error: code, message, details } = envelope.data;
  const retryAfter = Number(headers['retry-after']);
  return fromWireError({
    code,
    message,
    ...(details && { details }),
    ...(Number.isFinite(retryAfter) && { retryAfterMs: retryAfter * 1000 }),
  });
}

const LOST_CONNECTION = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isLostConnection(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && LOST_CONNECTION.has(code);
}

/** A time-out is told from a defect of ours by its code; both the driver and the network give one. */
function ownError(error: unknown): unknown {
  if (isPalimpsestError(error)) return error;
  const { code } = error as { code?: unknown };
  const unavailable = isLostConnection(error) || (typeof code === 'string' && code.startsWith('UND_ERR_'));
  return unavailable ? new ServiceUnavailableError('The artifact store', { cause: error }) : error;
}
