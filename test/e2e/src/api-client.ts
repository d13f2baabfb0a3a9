import { setTimeout as pause } from 'node:timers/promises';

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  /** The body's bytes as text. */
  readonly text: string;
  /** The body parsed, untyped as a client meets it. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly json: any;
};

export type RequestParts = {
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

const TIMEOUT_MS = 40_000;
const RETRY_MS = 50;

/** HTTP as a user of the API speaks it. */
export class ApiClient {
  constructor(
    readonly url: string,
    private readonly key: string,
  ) {}

  async request(method: string, path: string, parts: RequestParts = {}): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(parts.body && { 'content-type': 'application/json' }),
        ...(parts.idempotencyKey && { 'idempotency-key': parts.idempotencyKey }),
        ...parts.headers,
      },
      ...(parts.body && { body: JSON.stringify(parts.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : undefined,
    };
  }

  get(path: string): Promise<Answer> {
    return this.request('GET', path);
  }

  post(path: string, body?: object, idempotencyKey?: string): Promise<Answer> {
    return this.request('POST', path, {
      ...(body && { body }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }

  /** The body of an answer that has to be a success. */
  async ok(answer: Promise<Answer>): Promise<Answer['json']> {
    const { status, json, text } = await answer;
    if (status >= 300) throw new RefusedError(status, text);
    return json;
  }

  /**
   * Asks until there is an answer that lasts: a lost connection, 503 and "still at work" are asked again, under the
   * same idempotency key. `calledOff` gives up.
   */
  async persistently(ask: () => Promise<Answer>, calledOff: () => boolean = () => false): Promise<Persisted> {
    for (let retries = 0; ; retries += 1) {
      const answer = await ask().catch(() => undefined);
      if (answer && !isPassing(answer)) return { answer, retries };
      if (calledOff()) throw new RefusedError(answer?.status ?? 0, answer?.text ?? 'no answer');
      await pause(RETRY_MS);
    }
  }
}

export type Persisted = { readonly answer: Answer; readonly retries: number };

export class RefusedError extends Error {
  constructor(
    readonly status: number,
    envelope: string,
  ) {
    super(`The API answered ${status}: ${envelope.slice(0, 500)}`);
  }
}

function isPassing({ status, json }: Answer): boolean {
  return status === 503 || (status === 409 && json?.error === 'idempotency_in_flight');
}
