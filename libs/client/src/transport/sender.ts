import { ApiError, UnexpectedAnswerError, UnreachableError, type ApiRefusal } from '../client-errors.js';
import { refusalOf, retryAfterMs } from './error-envelope.js';
import type { Platform } from './platform.js';
import { retryDelay, type Setback } from './retry-delay.js';

const IDEMPOTENCY_KEY = 'idempotency-key';
const WRITES: readonly string[] = ['POST', 'DELETE'];
const IN_FLIGHT = 'idempotency_in_flight';

type Refused = { readonly response: Response; readonly refusal: ApiRefusal | undefined };
type Attempt = { readonly answer: Response } | { readonly refused: Refused } | { readonly cause: unknown };

/**
 * Requests that are sent again where that can help: the server is away, busy or asks for patience. Every POST
 * or DELETE carries one `Idempotency-Key` for all its attempts, so that sending it again never does it twice (host
 * specification §8.1). Only event streams and certificates are handed on before they are complete.
 */
export class Sender {
  #known = false;

  constructor(
    private readonly url: string,
    private readonly platform: Platform,
  ) {}

  /**
   * @returns an answer that is 2xx or 304
   * @throws ApiError with the server's code
   * @throws UnreachableError
   * @throws UnexpectedAnswerError
   * @throws the reason of the request's signal
   */
  async send(request: Request): Promise<Response> {
    if (WRITES.includes(request.method) && !request.headers.has(IDEMPOTENCY_KEY)) {
      request.headers.set(IDEMPOTENCY_KEY, this.platform.newKey());
    }
    for (let attempts = 1, waitedMs = 0; ; attempts += 1) {
      const attempt = await this.#attempt(request.clone());
      if ('answer' in attempt) return attempt.answer;
      request.signal.throwIfAborted();
      const delay = this.#delay(request, attempt, { attempts, waitedMs });
      if (delay === undefined) throw this.#failure(attempt);
      await this.platform.sleep(delay, request.signal);
      waitedMs += delay;
    }
  }

  async #attempt(request: Request): Promise<Attempt> {
    try {
      const response = await this.platform.fetch(request);
      if (isRedirect(response)) return { refused: { response, refusal: undefined } };
      if (!isNoServer(response)) this.#known = true;
      if (response.ok && (isEventStream(response) || isCertificate(response))) return { answer: response };
      // Read here: an answer that breaks off is one that has not come.
      const body = await response.arrayBuffer();
      if (response.ok || response.status === 304) return { answer: completeAnswer(response, body) };
      const refusal = refusalOf(response, new TextDecoder().decode(body), this.platform.now());
      return { refused: { response, refusal } };
    } catch (cause) {
      return { cause };
    }
  }

  #delay(
    { method, headers }: Request,
    attempt: Exclude<Attempt, { answer: Response }>,
    soFar: { readonly attempts: number; readonly waitedMs: number },
  ): number | undefined {
    const repeatable = method === 'GET' || method === 'HEAD' || headers.has(IDEMPOTENCY_KEY);
    const setback = repeatable ? this.#setback(attempt) : undefined;
    return setback && retryDelay(setback, { ...soFar, known: this.#known, spread: this.platform.random() });
  }

  #setback(attempt: Exclude<Attempt, { answer: Response }>): Setback | undefined {
    if ('cause' in attempt) return { kind: 'unreachable' };
    const { response, refusal } = attempt.refused;
    const { status, headers } = response;
    if (isNoServer(response)) return { kind: 'unreachable' };
    if (status !== 429 && status !== 503 && refusal?.code !== IN_FLIGHT) return undefined;
    const asked = refusal?.retryAfterMs ?? retryAfterMs(headers.get('retry-after'), this.platform.now());
    return { kind: 'later', retryAfterMs: asked };
  }

  #failure(attempt: Exclude<Attempt, { answer: Response }>): Error {
    if ('cause' in attempt) return new UnreachableError(this.url, { cause: attempt.cause });
    const { response, refusal } = attempt.refused;
    if (refusal) return new ApiError(refusal);
    return new UnexpectedAnswerError(this.url, response.status === 0 ? undefined : response.status);
  }
}

/** The key is for the server it was given for: it follows nobody elsewhere. In browsers the status is 0. */
function isRedirect({ type, status }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400 && status !== 304);
}

/** What proxies say of a server that is away. */
function isNoServer({ status }: Response): boolean {
  return status === 502 || status === 504;
}

export function isEventStream({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** As long as its run. Its last line tells whether it is complete. */
export function isCertificate({ headers }: Response): boolean {
  return /^application\/x-ndjson\b/i.test(headers.get('content-type') ?? '');
}

const WITHOUT_BODY: readonly number[] = [204, 205, 304];

function completeAnswer({ status, statusText, headers }: Response, body: ArrayBuffer): Response {
  return new Response(WITHOUT_BODY.includes(status) ? null : body, { status, statusText, headers });
}
