import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonValue } from '@palimpsest/contracts';
import {
  ServerRefusedError,
  ServerUnreachableError,
  UnexpectedAnswerError,
  type Refusal,
} from './api-errors.js';
import { retryDelay, type Setback } from './retry-delay.js';

/** A server, and the key to it. */
export type Target = { readonly url: string; readonly key: string | undefined };

export type HttpRequest = {
  readonly method: 'GET' | 'POST';
  /** From `/v1` on. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type HttpClientOptions = {
  readonly fetch?: typeof fetch;
  readonly wait?: (milliseconds: number) => Promise<unknown>;
};

type Attempt = { readonly response: Response } | { readonly cause: unknown };

/**
 * Requests that are sent again where that can help: the server is away, busy or asks for patience. Every POST
 * carries one `Idempotency-Key` for all its attempts, so that sending it again never does it twice.
 */
export class HttpClient {
  #known = false;
  readonly #fetch: typeof fetch;
  readonly #wait: (milliseconds: number) => Promise<unknown>;

  constructor(
    private readonly target: Target,
    options: HttpClientOptions = {},
  ) {
    this.#fetch = options.fetch ?? fetch;
    this.#wait = options.wait ?? pause;
  }

  /**
   * @throws ServerRefusedError with the server's code
   * @throws ServerUnreachableError
   */
  async send(request: HttpRequest): Promise<Response> {
    const init = this.#init(request);
    for (let attempts = 1, waitedMs = 0; ; attempts += 1) {
      const attempt = await this.#attempt(request.path, init);
      if ('response' in attempt && attempt.response.ok) return attempt.response;
      const refusal = 'response' in attempt ? await this.#refusalOf(attempt.response) : undefined;
      const setback = setbackOf(attempt, refusal);
      const delay = setback && retryDelay(setback, { attempts, waitedMs, known: this.#known });
      if (delay === undefined) throw this.#failure(attempt, refusal);
      await this.#wait(delay);
      waitedMs += delay;
    }
  }

  async json<Answer>(request: HttpRequest): Promise<Answer> {
    const response = await this.send(request);
    try {
      return (await response.json()) as Answer;
    } catch {
      throw new UnexpectedAnswerError(this.target.url, response.status);
    }
  }

  #init({ method, body, headers }: HttpRequest): RequestInit {
    return {
      method,
      headers: {
        ...(this.target.key !== undefined && { authorization: `Bearer ${this.target.key}` }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
  }

  async #attempt(path: string, init: RequestInit): Promise<Attempt> {
    try {
      const response = await this.#fetch(`${this.target.url}${path}`, init);
      this.#known = true;
      return { response };
    } catch (cause) {
      return { cause };
    }
  }

  async #refusalOf(response: Response): Promise<Refusal | undefined> {
    const text = await response.text().catch(() => '');
    try {
      const { error, message, details } = JSON.parse(text) as Partial<Record<string, JsonValue>>;
      if (typeof error !== 'string' || typeof message !== 'string') return undefined;
      return {
        status: response.status,
        code: error,
        message,
        details: (details ?? {}) as Refusal['details'],
      };
    } catch {
      return undefined;
    }
  }

  #failure(attempt: Attempt, refusal: Refusal | undefined): Error {
    if (!('response' in attempt)) return new ServerUnreachableError(this.target.url, attempt.cause);
    return refusal
      ? new ServerRefusedError(refusal)
      : new UnexpectedAnswerError(this.target.url, attempt.response.status);
  }
}

function setbackOf(attempt: Attempt, refusal: Refusal | undefined): Setback | undefined {
  if (!('response' in attempt)) return { kind: 'unreachable' };
  const { status, headers } = attempt.response;
  if (status !== 429 && status !== 503 && refusal?.code !== 'idempotency_in_flight') return undefined;
  const asked = headers.get('retry-after') ?? '';
  return { kind: 'later', retryAfterSeconds: /^\d{1,5}$/.test(asked) ? Number(asked) : undefined };
}
