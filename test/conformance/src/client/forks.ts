import { isText } from './expectations.js';
import type { Answer, Host, Json } from './host.js';
import { eventsOf, pathOf, runToEnd, waitForEnd, type CreateParts, type EndedRun } from './runs.js';

export type ForkBody = Readonly<Record<string, unknown>>;

/** No run has this id. */
export const NOBODY = 'run-that-nobody-has';

export function fork(
  host: Host,
  runId: string,
  body: ForkBody,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  return host.post(pathOf(runId, ':fork'), body, headers);
}

/** What the answer has to say of a fork that was made (host specification §6.1); gives its id. */
export function expectForked(answer: Answer, sourceRunId: string, asked: ForkBody): string {
  expect({ status: answer.status, text: answer.text.slice(0, 300), json: answer.json }).toEqual({
    status: 201,
    text: expect.any(String),
    json: expect.objectContaining({
      runId: expect.stringMatching(/^[^]{1,128}$/),
      sourceRunId,
      fromSeq: 0,
      ...asked,
      status: 'pending',
      eventsUrl: expect.stringContaining(encodeURIComponent(String(answer.json?.runId))),
    }),
  });
  const runId = String(answer.json.runId);
  expect(runId).not.toBe(sourceRunId);
  return runId;
}

/** A fork from its making to its end. */
export async function forkToEnd(host: Host, source: string, body: ForkBody): Promise<EndedRun> {
  const runId = expectForked(await fork(host, source, body), source, body);
  const snapshot = await waitForEnd(host, runId);
  return { runId, snapshot, events: await eventsOf(host, runId) };
}

/**
 * What has to be equal of events at one place of two logs (host specification §6.2, §6.6): everything but ids and times.
 * A cause in the log is its place there.
 */
export function factsOf(events: readonly Json[]): readonly unknown[] {
  const places = new Map(events.map(({ eventId, sequence }) => [String(eventId), Number(sequence)]));
  return events.map(({ type, nodeId, payload, sequence, schemaVersion, causationId }) => ({
    ...{ type, nodeId, payload, sequence, schemaVersion },
    ...(isText(causationId) && { cause: places.get(causationId) ?? causationId }),
  }));
}

const ended = new WeakMap<Host, Map<string, Promise<EndedRun>>>();

/** One run of a workflow that has ended, for every test that forks it: forks leave it as it is. */
export function endedRun(host: Host, workflowId: string, parts: CreateParts = {}): Promise<EndedRun> {
  const runs = ended.get(host) ?? new Map<string, Promise<EndedRun>>();
  ended.set(host, runs);
  const key = JSON.stringify([workflowId, parts]);
  const run = runs.get(key) ?? runToEnd(host, workflowId, parts);
  runs.set(key, run);
  return run;
}
