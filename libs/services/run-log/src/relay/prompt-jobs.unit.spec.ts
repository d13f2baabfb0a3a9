import {
  eventIdOf,
  EXTERNAL_WORKFLOW,
  NODE_CANCELLED,
  NODE_RESUMED,
  NODE_STARTED,
  RUN_CANCELLED,
  RUN_STARTED,
  STREAMS,
  type JsonObject,
  type NewRunEvent,
} from '@palimpsest/contracts';
import { ServiceUnavailableError, type DurableMessage } from '@palimpsest/kernel';
import { advanceJobOf } from './advance-job.js';
import { promptJobs } from './prompt-jobs.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const event = (type: string, payload: JsonObject = {}): NewRunEvent => ({ type, payload, schemaVersion: 1 });
const started = event(RUN_STARTED, { workflowId: 'w' });

function jobsAfter(events: readonly NewRunEvent[], firstSequence = 4): readonly DurableMessage[] {
  const jobs: DurableMessage[] = [];
  const bus = {
    publish: (stream: unknown, job: DurableMessage) => {
      expect(stream).toBe(STREAMS.advance);
      jobs.push(job);
      return Promise.resolve();
    },
  };
  promptJobs(bus)({ ...key, firstSequence, events });
  return jobs;
}

describe('jobs straight from the append', () => {
  it('are those of the relay, under the same id', () => {
    const relayed = advanceJobOf({
      ...key,
      event: { ...started, runId: key.runId, eventId: eventIdOf('run-1', 0) },
    });
    expect(jobsAfter([started], 0)).toEqual([relayed]);
  });

  it('are one for many events', () => {
    const jobs = jobsAfter([event(NODE_CANCELLED), event(NODE_RESUMED), event(NODE_STARTED)]);
    expect(jobs.map(({ id }) => id)).toEqual([`advance:${eventIdOf('run-1', 5)}`]);
  });

  it.each([
    ['nothing could go on from', [event(NODE_STARTED)]],
    ['ended the run', [event(NODE_CANCELLED), event(RUN_CANCELLED)]],
    ['began a run that the caller executes', [event(RUN_STARTED, { workflowId: EXTERNAL_WORKFLOW })]],
  ])('are none for a command that %s', (_what, events) => {
    expect(jobsAfter(events)).toEqual([]);
  });

  it('are the parent’s where a child was cancelled', () => {
    const ended = event(RUN_CANCELLED, { reason: 'parent-cancelled', parentRunId: 'run-0' });
    const jobs = jobsAfter([event(NODE_CANCELLED), ended]);
    expect(jobs.map(({ body }) => body)).toEqual([{ tenantId: 'acme', runId: 'run-0' }]);
  });

  it('are left to the relay where the bus is away', async () => {
    const publish = () => Promise.reject(new ServiceUnavailableError('The bus'));
    promptJobs({ publish })({ ...key, firstSequence: 0, events: [started] });
    await new Promise((resolve) => setImmediate(resolve));
  });
});
