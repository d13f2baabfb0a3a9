import {
  EVENT_PAYLOAD_SCHEMAS,
  isTerminalEventType,
  RUN_STARTED,
  workflowRunStateSchema,
  workflowStartedSchema,
  type RecordedEvent,
  type RunHeader,
  type WorkflowRunState,
} from '@palimpsest/contracts';
import { foldWorkflowRun, runStatusOf } from '@palimpsest/workflow';

/** What holds for every run: a dense log, payloads as specified, at most one end and that last, the header a fold of it. */
export function expectSoundLog(header: RunHeader | undefined, events: readonly RecordedEvent[]): void {
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place));
  for (const event of events) expectPayload(event);
  const ends = events.filter(({ type }) => isTerminalEventType(type));
  expect(ends.length).toBeLessThanOrEqual(1);
  if (ends[0]) expect(events.at(-1)).toBe(ends[0]);
  const state = events.reduce<WorkflowRunState | undefined>(foldWorkflowRun, undefined);
  expect(header).toMatchObject({ head: events.length - 1, status: state && runStatusOf(state) });
  expect(header?.state).toEqual(state);
  expect(workflowRunStateSchema.safeParse(header?.state).error).toBeUndefined();
}

function expectPayload({ type, payload }: RecordedEvent): void {
  const schemas = [EVENT_PAYLOAD_SCHEMAS[type], ...(type === RUN_STARTED ? [workflowStartedSchema] : [])];
  for (const schema of schemas) {
    expect({ type, error: schema ? schema.safeParse(payload).error : 'no schema' }).toEqual({
      type,
      error: undefined,
    });
  }
}
