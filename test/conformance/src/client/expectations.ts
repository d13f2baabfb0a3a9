import type { Answer, Json } from './host.js';

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const TERMINAL_TYPES = ['run.completed', 'run.failed', 'run.cancelled'];

export const RUN_STATUSES = [
  'pending',
  'running',
  'paused',
  'waiting-approval',
  'waiting-input',
  'waiting-external',
  'completed',
  'failed',
  'cancelling',
  'cancelled',
];

/** What is wrong with a body as an error envelope: closed and flat (host specification §2.2). */
export function envelopeProblems(body: unknown): readonly string[] {
  if (!isObject(body)) return ['it is no JSON object'];
  const stray = Object.keys(body).filter((key) => !['error', 'message', 'details'].includes(key));
  return [
    ...stray.map((key) => `stray key ${key}`),
    ...['error', 'message'].filter((key) => !isText(body[key])).map((key) => `${key} is no non-empty string`),
    ...('details' in body && !isObject(body['details']) ? ['details is no object'] : []),
  ];
}

/** A refusal with its status, the envelope, and where one is given its code. */
export function expectRefusal(answer: Answer, statuses: number | readonly number[], code?: string): void {
  expect({
    allowed: [statuses].flat().includes(answer.status) || `${answer.status} ${answer.text.slice(0, 300)}`,
    envelope: envelopeProblems(answer.json),
    ...(code !== undefined && { code: answer.json?.error }),
  }).toEqual({ allowed: true, envelope: [], ...(code !== undefined && { code }) });
}

/** Host specification §3.4 and §3.3: 404, where 403 is tolerated. */
export function expectUnknown(answer: Answer): void {
  expectRefusal(answer, [404, 403]);
  if (answer.status === 404) expect(answer.json.error).toBe('not_found');
}

/** Required members of a log's event (host specification §3.6). */
export function expectEventEnvelope(event: Json, runId: string): void {
  expect(event).toMatchObject({
    eventId: expect.stringMatching(/^[^]{1,128}$/),
    runId,
    type: expect.stringMatching(/^[a-zA-Z][\w-]*(\.[\w-]+)+$/),
    payload: expect.anything(),
    timestamp: expect.stringMatching(MOMENT),
  });
  expect(Number.isInteger(event.sequence)).toBe(true);
  if ('schemaVersion' in event) expect(Number.isInteger(event.schemaVersion)).toBe(true);
  if ('engineVersion' in event) expect(typeof event.engineVersion).toBe('string');
  if ('nodeId' in event) expect(isText(event.nodeId)).toBe(true);
  if ('causationId' in event) expect(event.causationId).toMatch(/^[^]{1,128}$/);
}

/** First 0, strictly increasing (host specification §3.6). */
export function expectOrdered(events: readonly Json[]): void {
  const sequences = events.map(({ sequence }) => Number(sequence));
  expect(sequences[0]).toBe(0);
  expect(sequences.filter((sequence, place) => place > 0 && sequence <= (sequences[place - 1] ?? 0))).toEqual(
    [],
  );
}

/** Exactly one terminal event, and it is the last (host specification §3.9). */
export function expectEndedBy(events: readonly Json[], type: string): void {
  expect(typesOf(events).filter((found) => TERMINAL_TYPES.includes(found))).toEqual([type]);
  expect(events.at(-1)?.type).toBe(type);
}

export function typesOf(events: readonly Json[]): readonly string[] {
  return events.map(({ type }) => String(type));
}

export function ofType(events: readonly Json[], type: string): readonly Json[] {
  const found: readonly unknown[] = events.filter((event) => event.type === type);
  return found;
}

/** Place of the first event of the type, of the node where one is named; one that is missing fails. */
export function placeOf(events: readonly Json[], type: string, nodeId?: string): number {
  const place = events.findIndex((event) => event.type === type && (nodeId ?? event.nodeId) === event.nodeId);
  expect({ type, nodeId, isThere: place >= 0 }).toEqual({ type, nodeId, isThere: true });
  return place;
}

export function expectMoment(value: unknown): void {
  expect(value).toEqual(expect.stringMatching(MOMENT));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function isWhole(value: unknown, least: number): boolean {
  return Number.isInteger(value) && Number(value) >= least;
}
