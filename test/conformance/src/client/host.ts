import { readFrames, type EventFrame, type Frame } from './event-stream.js';

/** A parsed body, untyped as a client meets it. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Json = any;

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body where it is JSON, else undefined. */
  readonly json: Json;
};

export type RequestParts = {
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is, as JSON by name. */
  readonly rawBody?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leaves the credential out. */
  readonly bare?: boolean;
};

/** The discovery document, as far as gates read it. */
export type Discovery = {
  readonly [family: string]: Json;
  readonly fixtures?: readonly string[];
};

export type StreamOptions = {
  readonly lastEventId?: string;
  /** How long the whole reading may take, in ms. */
  readonly withinMs?: number;
};

export type HostAddress = {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** A second key, for what only test keys may do. Where it is missing, `apiKey` may be one itself. */
  readonly testKey?: string;
};

/** Seams that no claim of discovery tells of (host specification §9). */
export const SEAMS = {
  workflows: ['POST', '/v1/host/sample/workflows'],
  'agent loop': ['POST', '/v1/host/sample/agentloop/run'],
  'mock program': ['POST', '/v1/host/sample/test/mock-ai/program'],
  'cache key': ['POST', '/v1/host/sample/test/llm-cache-key'],
  'side effects': ['GET', '/v1/host/sample/test/side-effects'],
  'usage emit': ['POST', '/v1/host/sample/test/emit-provider-usage'],
  'transcript window': ['GET', '/v1/host/sample/agent/transcript-window'],
} as const;

export type SeamName = keyof typeof SEAMS;

const REQUEST_MS = 20_000;
const STREAM_MS = 20_000;

/** An OpenWOP v1 host, over HTTP only. */
export class Host {
  /** Every 429 that was met, for `rate-limit-envelope`. */
  readonly refusedForRate: Answer[] = [];
  readonly #early: (() => void)[] = [];
  #discovery: Promise<Discovery> | undefined;
  #address: HostAddress | undefined;
  /** Ends the host hard and starts it again; undefined where that cannot be done from here. */
  restart: (() => Promise<void>) | undefined;
  /** Test seams that are served, once they were tried. */
  readonly seams = new Set<SeamName>();

  constructor(address?: HostAddress) {
    this.#address = address;
  }

  /** A request without anything is refused by a seam that is there, and by its absence in other words. */
  async trySeams(): Promise<void> {
    for (const [name, [method, path]] of Object.entries(SEAMS) as [SeamName, readonly [string, string]][]) {
      const { status } = await this.request(method, path, method === 'POST' ? { body: {} } : {});
      if (status === 400 || status === 422) this.seams.add(name);
    }
  }

  /** For a host that is started after its tests were registered. */
  moveTo(address: HostAddress): void {
    this.#address = address;
  }

  get baseUrl(): string {
    return this.#known().baseUrl.replace(/\/+$/, '');
  }

  get apiKey(): string {
    return this.#known().apiKey;
  }

  /** A key that begins as discovery says that test keys do; undefined where none was given. */
  testKeyOf(discovery: Discovery): string | undefined {
    const prefix: unknown = discovery['testing']?.testKeyPrefix;
    const keys = [this.#known().testKey, this.apiKey];
    return typeof prefix === 'string' && prefix !== ''
      ? keys.find((key) => key?.startsWith(prefix) === true)
      : undefined;
  }

  get authorization(): string {
    return `Bearer ${this.apiKey}`;
  }

  async request(method: string, path: string, parts: RequestParts = {}): Promise<Answer> {
    const body = parts.rawBody ?? (parts.body === undefined ? undefined : JSON.stringify(parts.body));
    const response = await fetch(this.baseUrl + path, {
      method,
      headers: {
        accept: 'application/json',
        ...(!parts.bare && { authorization: this.authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...parts.headers,
      },
      ...(body !== undefined && { body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    const answer = await answerOf(response);
    if (answer.status === 429) this.refusedForRate.push(answer);
    return answer;
  }

  get(path: string, parts?: RequestParts): Promise<Answer> {
    return this.request('GET', path, parts);
  }

  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer> {
    return this.request('POST', path, { ...(body !== undefined && { body }), ...(headers && { headers }) });
  }

  /** Read once; the document does not change its shape in a session (host specification §1.1). */
  discovery(): Promise<Discovery> {
    this.#discovery ??= this.get('/.well-known/openwop', { bare: true }).then(
      ({ json }) => json as Discovery,
    );
    return this.#discovery;
  }

  /** Opens an event stream. Whoever opens it closes it. */
  async openStream(path: string, options: StreamOptions = {}): Promise<OpenStream> {
    const withinMs = options.withinMs ?? STREAM_MS;
    const closing = new AbortController();
    // Not `AbortSignal.any` with a timeout: on Node 20 such a signal may be collected before its time.
    const timer = setTimeout(() => closing.abort(new StreamTimeoutError(path, withinMs)), withinMs);
    timer.unref();
    const response = await fetch(this.baseUrl + path, {
      headers: {
        accept: 'text/event-stream',
        authorization: this.authorization,
        ...(options.lastEventId !== undefined && { 'last-event-id': options.lastEventId }),
      },
      redirect: 'manual',
      signal: closing.signal,
    });
    return new OpenStream(response, () => {
      clearTimeout(timer);
      closing.abort();
    });
  }

  /** Reads an event stream until the host ends it; one that is still open when the time is over is an error. */
  async readStream(path: string, options: StreamOptions = {}): Promise<ReadStream> {
    const stream = await this.openStream(path, options);
    const frames: Frame[] = [];
    try {
      for await (const frame of stream.frames()) frames.push(frame);
    } finally {
      stream.close();
    }
    const events = frames.filter((frame) => frame.kind === 'event');
    return { status: stream.status, headers: stream.headers, events };
  }

  /** Starts something slow before the first test; the test then asks for it. */
  early<Started>(start: () => Promise<Started>): () => Promise<Started> {
    let started: Promise<Started> | undefined;
    const once = () => (started ??= start());
    // A failure is told by the test that asks.
    this.#early.push(() => void once().catch(() => undefined));
    return once;
  }

  startEarly(): void {
    for (const start of this.#early) start();
  }

  #known(): HostAddress {
    if (!this.#address) throw new Error('The host has no address yet.');
    return this.#address;
  }
}

export type ReadStream = {
  readonly status: number;
  readonly headers: Headers;
  readonly events: readonly EventFrame[];
};

/** An event stream as it comes in. */
export class OpenStream {
  constructor(
    private readonly response: Response,
    /** Safe to call again, and after the end. */
    readonly close: () => void,
  ) {}

  get status(): number {
    return this.response.status;
  }

  get headers(): Headers {
    return this.response.headers;
  }

  async *frames(): AsyncGenerator<Frame> {
    if (this.response.body) yield* readFrames(this.response.body);
  }
}

export class StreamTimeoutError extends Error {
  constructor(path: string, withinMs: number) {
    super(`Timeout: the stream ${path} was still open after ${withinMs} ms.`);
  }
}

async function answerOf(response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, json: jsonOf(text, headers.get('content-type') ?? '') };
}

function jsonOf(text: string, type: string): Json {
  if (!/\bjson\b/.test(type)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
