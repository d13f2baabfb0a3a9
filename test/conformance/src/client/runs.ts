import { eventually, LIFECYCLE_MS } from './deadlines.js';
import type { Answer, Host, Json } from './host.js';

export type CreateParts = {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly configurable?: Readonly<Record<string, unknown>>;
};

const TERMINAL = ['completed', 'failed', 'cancelled'];

export function create(host: Host, workflowId: string, parts: CreateParts = {}): Promise<Answer> {
  return host.post('/v1/runs', { workflowId, ...parts });
}

/** Creates a run that has to be created; gives its id. */
export async function startRun(host: Host, workflowId: string, parts: CreateParts = {}): Promise<string> {
  const { status, text, json } = await create(host, workflowId, parts);
  if (status !== 201)
    throw new Error(`POST /v1/runs ${workflowId} answered ${status}: ${text.slice(0, 500)}`);
  return String(json.runId);
}

export function pathOf(runId: string, rest = ''): string {
  return `/v1/runs/${encodeURIComponent(runId)}${rest}`;
}

/**
 * The snapshot as soon as the run has that status; a run that ended otherwise is an error at once. A 404 just after
 * the creation is asked again (host specification §3.1).
 */
export async function waitForStatus(
  host: Host,
  runId: string,
  wanted: readonly string[] | string,
  withinMs = LIFECYCLE_MS,
): Promise<Json> {
  const statuses = typeof wanted === 'string' ? [wanted] : wanted;
  let last = 'nothing';
  return eventually(
    `run ${runId} ${statuses.join(' or ')}`,
    async () => {
      const { status, json, text } = await host.get(pathOf(runId));
      last =
        status === 200 ? JSON.stringify({ status: json.status, error: json.error }) : `${status} ${text}`;
      if (status !== 200) return undefined;
      if (statuses.includes(json.status)) return json as unknown;
      if (TERMINAL.includes(json.status)) throw new Error(`Run ${runId} ended otherwise: ${last}`);
      return undefined;
    },
    { withinMs, seen: () => `Last seen: ${last}` },
  );
}

export function waitForEnd(host: Host, runId: string, withinMs?: number): Promise<Json> {
  return waitForStatus(host, runId, TERMINAL, withinMs);
}

/** The whole log as JSON, on the path of the stream (host specification §3.7). */
export async function eventsOf(host: Host, runId: string): Promise<readonly Json[]> {
  const { status, json, text } = await host.get(pathOf(runId, '/events'));
  if (status !== 200 || !Array.isArray(json?.events)) {
    throw new Error(`The log of ${runId} answered ${status}: ${text.slice(0, 500)}`);
  }
  return json.events as readonly Json[];
}

export type EndedRun = { readonly runId: string; readonly snapshot: Json; readonly events: readonly Json[] };

/** A run from its creation to its end. */
export async function runToEnd(host: Host, workflowId: string, parts: CreateParts = {}): Promise<EndedRun> {
  const runId = await startRun(host, workflowId, parts);
  const snapshot = await waitForEnd(host, runId);
  return { runId, snapshot, events: await eventsOf(host, runId) };
}

/** A run that waits at an interrupt. */
export async function suspendedRun(
  host: Host,
  workflowId: string,
  status: string,
): Promise<{ readonly runId: string; readonly snapshot: Json }> {
  const runId = await startRun(host, workflowId);
  return { runId, snapshot: await waitForStatus(host, runId, status) };
}

export function resume(host: Host, runId: string, nodeId: string, resumeValue: unknown): Promise<Answer> {
  return host.post(pathOf(runId, `/interrupts/${nodeId}`), { resumeValue });
}

export function cancel(host: Host, runId: string): Promise<Answer> {
  return host.post(pathOf(runId, '/cancel'), { reason: 'conformance' });
}

/** The token of an external wait, from its own field or out of its callback (host specification §3.3). */
export function tokenOf(snapshot: Json): string {
  const token: unknown = snapshot?.interrupt?.interruptToken;
  if (typeof token === 'string') return token;
  const callback = /\/v1\/interrupts\/([^/?#]+)/.exec(String(snapshot?.interrupt?.callbackUrl));
  if (!callback?.[1]) throw new Error('The snapshot of the suspended run names no interrupt token.');
  return decodeURIComponent(callback[1]);
}
