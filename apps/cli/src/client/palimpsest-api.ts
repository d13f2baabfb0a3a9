import type { AppendedMessages, Usage, Verification } from '@palimpsest/contracts';
import type {
  CreatedRun,
  CreateRunBody,
  EventList,
  ForkAnswer,
  RunPage,
  RunSnapshot,
  WindowDocument,
  WindowFormat,
} from './api-documents.js';
import type { HttpClient } from './http-client.js';

export type ListRuns = { readonly limit: number; readonly cursor?: string; readonly status?: string };
export type ForkBody = { readonly mode: 'replay' | 'branch'; readonly fromSeq?: number };

/** The HTTP API, an operation per method. */
export class PalimpsestApi {
  constructor(readonly http: HttpClient) {}

  createRun({ context, ...rest }: CreateRunBody): Promise<CreatedRun> {
    const body = { workflowId: 'palimpsest-external', configurable: { context }, ...rest };
    return this.http.json({ method: 'POST', path: '/v1/runs', body });
  }

  listRuns(query: ListRuns): Promise<RunPage> {
    const present = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(
      present.map(([name, value]): [string, string] => [name, String(value)]),
    );
    return this.http.json({ method: 'GET', path: `/v1/runs?${search.toString()}` });
  }

  readRun(runId: string): Promise<RunSnapshot> {
    return this.http.json({ method: 'GET', path: runPath(runId) });
  }

  appendTurns(runId: string, messages: readonly unknown[]): Promise<AppendedMessages> {
    return this.http.json({ method: 'POST', path: `${runPath(runId)}/turns`, body: { messages } });
  }

  planWindow(runId: string): Promise<WindowDocument> {
    return this.http.json({ method: 'POST', path: `${runPath(runId)}/windows`, body: {} });
  }

  readWindow(runId: string, iteration: number, format: WindowFormat = 'openai'): Promise<WindowDocument> {
    return this.http.json({ method: 'GET', path: `${runPath(runId)}/windows/${iteration}?format=${format}` });
  }

  readUsage(runId: string): Promise<Usage> {
    return this.http.json({ method: 'GET', path: `${runPath(runId)}/usage` });
  }

  readEvents(runId: string): Promise<EventList> {
    return this.http.json({ method: 'GET', path: `${runPath(runId)}/events` });
  }

  fork(runId: string, body: ForkBody): Promise<ForkAnswer> {
    return this.http.json({ method: 'POST', path: `${runPath(runId)}:fork`, body });
  }

  verify(runId: string): Promise<Verification> {
    return this.http.json({ method: 'GET', path: `${runPath(runId)}/verification` });
  }

  finish(runId: string): Promise<RunSnapshot> {
    return this.http.json({ method: 'POST', path: `${runPath(runId)}/finish`, body: {} });
  }
}

export function runPath(runId: string): string {
  return `/v1/runs/${encodeURIComponent(runId)}`;
}
