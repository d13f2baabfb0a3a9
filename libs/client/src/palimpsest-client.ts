import createClient, { type Client, type ClientPathsWithMethod, type MaybeOptionalInit } from 'openapi-fetch';
import { isTerminalEventType, isTerminalStatus } from '@palimpsest/contracts';
import { UnexpectedAnswerError } from './client-errors.js';
import type { AnswerIn, PolledEvents, RunEvent, RunSnapshot } from './documents.js';
import { eventQuery, pollQuery, type Follow, type FollowEvents, type Poll } from './events/event-options.js';
import { followFrames, type FrameSource } from './events/follow-frames.js';
import { eventsIn, snapshotsIn } from './events/frame-items.js';
import type { paths } from './generated/api.js';
import { checkedTarget, type Target } from './target.js';
import { hostPlatform, type Platform } from './transport/platform.js';
import { isCertificate, isEventStream, Sender } from './transport/sender.js';

type Api = Client<paths, 'application/json'>;
type Method = 'get' | 'post' | 'delete';
type Init<Path extends keyof paths, Verb extends Method> = MaybeOptionalInit<paths[Path], Verb>;

/** Calls an operation by its path, as the OpenAPI document has it; answers its document, throws its refusal. */
export type Call<Verb extends Method> = <Path extends ClientPathsWithMethod<Api, Verb>>(
  path: Path,
  ...init: undefined extends Init<Path, Verb> ? [init?: Init<Path, Verb>] : [init: Init<Path, Verb>]
) => Promise<AnswerIn<paths[Path][Verb]>>;

/** A server's API. See the README of this package for an example. */
export class PalimpsestClient {
  readonly url: string;
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly delete: Call<'delete'>;
  readonly #api: Api;
  readonly #platform: Platform;

  /** @throws InvalidTargetError */
  constructor(target: Target, platform: Partial<Platform> = {}) {
    const { url, key } = checkedTarget(target);
    this.url = url;
    this.#platform = { ...hostPlatform, ...platform };
    const sender = new Sender(url, this.#platform);
    this.#api = createClient<paths, 'application/json'>({
      baseUrl: url,
      redirect: 'manual',
      ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
      fetch: (request) => sender.send(request),
    });
    this.get = this.#call('GET') as Call<'get'>;
    this.post = this.#call('POST') as Call<'post'>;
    this.delete = this.#call('DELETE') as Call<'delete'>;
  }

  /**
   * A run's events, each once and in order, as they are recorded. A stream that breaks is taken up where it broke;
   * the last is the run's terminal event, where the mode shows it. With a server that stays away it throws as any
   * call does; aborted, it throws the signal's reason.
   */
  followEvents(runId: string, options: FollowEvents = {}): AsyncGenerator<RunEvent, void, void> {
    return this.#follow(runId, options, {
      query: eventQuery(options),
      itemsIn: (frame, after) => eventsIn(frame, after, this.url),
      isLast: ({ type }) => isTerminalEventType(type),
    });
  }

  /** A run's snapshot now, and again each time it has moved on, until it is over. */
  followSnapshots(runId: string, options: Follow = {}): AsyncGenerator<RunSnapshot, void, void> {
    return this.#follow(runId, options, {
      query: { streamMode: 'values' },
      itemsIn: (frame, after) => snapshotsIn(frame, after, this.url),
      isLast: ({ status }) => isTerminalStatus(status),
    });
  }

  /** The snapshot of the run once it is over. Give it a signal, such as `AbortSignal.timeout(…)`, to wait no longer. */
  async waitForTerminal(runId: string, options: Omit<Follow, 'lastEventId'> = {}): Promise<RunSnapshot> {
    const run = await this.#readRun(runId, options.signal);
    if (isTerminalStatus(run.status)) return run;
    const events = this.followEvents(runId, { ...options, lastEventId: String(run.lastSequence) });
    while ((await events.next()).done !== true);
    return this.#readRun(runId, options.signal);
  }

  /**
   * One page of events; waits for the first of them where there is none yet (host specification §3.8). Goes on behind
   * its last event until `isComplete`.
   */
  poll(runId: string, { signal, ...position }: Poll = {}): Promise<PolledEvents> {
    return this.get('/v1/runs/{runId}/events/poll', {
      params: { path: { runId }, query: pollQuery(position) },
      ...(signal && { signal }),
    });
  }

  /**
   * The certificate of a run, as lines of JSON that come as they are taken; rejects while it is read where it breaks off.
   * Without its last line, `end`, it is none. The command `palimpsest verify --offline` checks one.
   */
  async readCertificate(
    runId: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const { data, response } = await this.#api.GET('/v1/runs/{runId}/certificate', {
      params: { path: { runId } },
      parseAs: 'stream',
      ...(signal && { signal }),
    });
    if (!isCertificate(response) || !data) throw new UnexpectedAnswerError(this.url, response.status);
    return data as ReadableStream<Uint8Array>;
  }

  #readRun(runId: string, signal: AbortSignal | undefined): Promise<RunSnapshot> {
    return this.get('/v1/runs/{runId}', { params: { path: { runId } }, ...(signal && { signal }) });
  }

  #follow<Item>(
    runId: string,
    { lastEventId, signal, silenceMs = SILENCE_MS }: Follow,
    what: Pick<FrameSource<Item>, 'itemsIn' | 'isLast'> & { readonly query: StreamQuery },
  ): AsyncGenerator<Item, void, void> {
    const source: FrameSource<Item> = {
      ...what,
      open: (last) => this.#openStream(runId, { query: what.query, last, signal }),
      isOver: async () => isTerminalStatus((await this.#readRun(runId, signal)).status),
      pause: (milliseconds) => this.#platform.sleep(milliseconds, signal),
    };
    return followFrames(source, { lastEventId, silenceMs });
  }

  async #openStream(
    runId: string,
    { query, last, signal }: StreamStart,
  ): Promise<ReadableStream<Uint8Array> | undefined> {
    const { data, response } = await this.#api.GET('/v1/runs/{runId}/events', {
      params: {
        path: { runId },
        query,
        ...(last !== undefined && { header: { 'Last-Event-ID': last } }),
      },
      headers: { accept: 'text/event-stream' },
      parseAs: 'stream',
      ...(signal && { signal }),
    });
    if (!isEventStream(response)) throw new UnexpectedAnswerError(this.url, response.status);
    return data ?? undefined;
  }

  #call(verb: 'GET' | 'POST' | 'DELETE') {
    const send = this.#api[verb] as unknown as Send;
    return async (path: string, init?: object): Promise<object> => {
      const { data, response } = await send(path, init).catch((error: unknown) => {
        // Thrown by JSON.parse, with a piece of what it read.
        if (error instanceof Error && error.name === 'SyntaxError')
          throw new UnexpectedAnswerError(this.url, undefined);
        throw error;
      });
      if (typeof data !== 'object' || data === null)
        throw new UnexpectedAnswerError(this.url, response.status);
      return data;
    };
  }
}

const SILENCE_MS = 90_000;

type Send = (
  path: string,
  init?: object,
) => Promise<{ readonly data?: unknown; readonly response: Response }>;

type StreamQuery = { readonly streamMode?: string; readonly bufferMs?: string };

type StreamStart = {
  readonly query: StreamQuery;
  readonly last: string | undefined;
  readonly signal: AbortSignal | undefined;
};
