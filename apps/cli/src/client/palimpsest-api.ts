import {
  UnexpectedAnswerError,
  type AnswerOf,
  type BodyOf,
  type PalimpsestClient,
  type RunEvent,
  type RunSnapshot,
} from '@palimpsest/client';
import { RegistryApi } from './registry-api.js';

export type WindowDocument = AnswerOf<'readWindow'>;
export type WindowFormat = WindowDocument['format'];
export type CreatedRun = Required<Pick<AnswerOf<'createRun'>, 'runId' | 'context'>>;
export type ForkBody = BodyOf<'forkRun'>;
export type ForkAnswer = AnswerOf<'forkRun'>;
export type RunPage = AnswerOf<'listRuns'>;
export type RunDiff = AnswerOf<'diffRuns'>;
export type DiffPage = { readonly fromIteration?: number; readonly limit?: number };
export type RunStatus = RunSnapshot['status'];

export type ContextRequest = NonNullable<NonNullable<BodyOf<'createRun'>['configurable']>['context']>;

export type CreateOwnLoopRun = Pick<BodyOf<'createRun'>, 'metadata' | 'tags'> & {
  readonly context: ContextRequest;
};

export type ListRuns = { readonly limit: number; readonly cursor?: string; readonly status?: RunStatus };

/** What the commands ask a server: the operations of runs whose loop is the caller's own. */
export class PalimpsestApi {
  /** Workgroups, lineages and rollouts. */
  readonly registry: RegistryApi;

  constructor(private readonly client: PalimpsestClient) {
    this.registry = new RegistryApi(client);
  }

  async createRun({ context: wanted, ...rest }: CreateOwnLoopRun): Promise<CreatedRun> {
    const { runId, context } = await this.client.post('/v1/runs', {
      body: { workflowId: 'palimpsest-external', configurable: { context: wanted }, ...rest },
    });
    // Runs of this workflow have one; those of others need not.
    if (!context) throw new UnexpectedAnswerError(this.client.url, 201);
    return { runId, context };
  }

  /** A run that the server executes. */
  startRun(workflowId: string): Promise<AnswerOf<'createRun'>> {
    return this.client.post('/v1/runs', { body: { workflowId } });
  }

  listRuns({ limit, status, ...rest }: ListRuns): Promise<RunPage> {
    const query = { ...rest, limit: String(limit), ...(status !== undefined && { status }) };
    return this.client.get('/v1/runs', { params: { query } });
  }

  readRun(runId: string): Promise<RunSnapshot> {
    return this.client.get('/v1/runs/{runId}', { params: { path: { runId } } });
  }

  /** Messages as somebody wrote them: whether they are chat messages the server says. */
  appendTurns(runId: string, written: readonly object[]): Promise<AnswerOf<'appendTurns'>> {
    const messages = written as BodyOf<'appendTurns'>['messages'];
    return this.client.post('/v1/runs/{runId}/turns', { params: { path: { runId } }, body: { messages } });
  }

  planWindow(runId: string): Promise<WindowDocument> {
    return this.client.post('/v1/runs/{runId}/windows', { params: { path: { runId } }, body: {} });
  }

  readWindow(runId: string, iteration: number, format: WindowFormat = 'openai'): Promise<WindowDocument> {
    return this.client.get('/v1/runs/{runId}/windows/{iteration}', {
      params: { path: { runId, iteration }, query: { format } },
    });
  }

  addPin(runId: string, body: BodyOf<'addPin'>): Promise<AnswerOf<'addPin'>> {
    return this.client.post('/v1/runs/{runId}/pins', { params: { path: { runId } }, body });
  }

  listPins(runId: string): Promise<AnswerOf<'listPins'>> {
    return this.client.get('/v1/runs/{runId}/pins', { params: { path: { runId } } });
  }

  removePin(runId: string, pinId: string): Promise<AnswerOf<'removePin'>> {
    return this.client.delete('/v1/runs/{runId}/pins/{pinId}', { params: { path: { runId, pinId } } });
  }

  readUsage(runId: string): Promise<AnswerOf<'readUsage'>> {
    return this.client.get('/v1/runs/{runId}/usage', { params: { path: { runId } } });
  }

  async readEvents(runId: string): Promise<readonly RunEvent[]> {
    const { events } = await this.client.get('/v1/runs/{runId}/events', { params: { path: { runId } } });
    return events;
  }

  /** Every event, as {@link readEvents} has them: the default mode leaves out those of own-loop runs. */
  followEvents(runId: string): AsyncIterable<RunEvent> {
    return this.client.followEvents(runId, { streamMode: 'debug' });
  }

  fork(runId: string, body: ForkBody): Promise<ForkAnswer> {
    return this.client.post('/v1/runs/{runId}:fork', { params: { path: { runId } }, body });
  }

  verify(runId: string): Promise<AnswerOf<'verifyRun'>> {
    return this.client.get('/v1/runs/{runId}/verification', { params: { path: { runId } } });
  }

  /** The content, and all that stands for it. */
  eraseArtifact(runId: string, artifactId: string): Promise<AnswerOf<'eraseArtifact'>> {
    const path = { runId, artifactId };
    return this.client.delete('/v1/runs/{runId}/artifacts/{artifactId}', { params: { path } });
  }

  /** What no other run uses. */
  eraseContent(runId: string): Promise<AnswerOf<'eraseContent'>> {
    return this.client.delete('/v1/runs/{runId}/content', { params: { path: { runId } } });
  }

  diff(runId: string, other: string, { fromIteration, limit }: DiffPage = {}): Promise<RunDiff> {
    const page = {
      ...(fromIteration !== undefined && { fromIteration: String(fromIteration) }),
      ...(limit !== undefined && { limit: String(limit) }),
    };
    const params = { path: { runId }, query: { with: other, ...page } };
    return this.client.get('/v1/runs/{runId}/diff', { params });
  }

  /** Lines of JSON, as they come. */
  certificate(runId: string): Promise<ReadableStream<Uint8Array>> {
    return this.client.readCertificate(runId);
  }

  finish(runId: string): Promise<RunSnapshot> {
    return this.client.post('/v1/runs/{runId}/finish', { params: { path: { runId } }, body: {} });
  }
}
