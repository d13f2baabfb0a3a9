import type { JsonValue } from '@palimpsest/contracts';
import {
  advancePhaseSchema,
  approveSchema,
  coordinateSchema,
  REGISTRY_SUBJECTS,
  workgroupPageSchema,
  workgroupQuerySchema,
  type WorkgroupEvents,
  type WorkgroupEventView,
} from '@palimpsest/contracts/registry';
import { decideAdvancePhase, decideApprove, decideCoordinate } from '../domain/workgroup/coordinate.js';
import { asOf, workgroupView } from '../domain/workgroup/views.js';
import type { RecordedWorkgroupEvent } from '../domain/workgroup/workgroup-events.js';
import type { WorkgroupStore } from '../store/workgroup-store.js';
import { boundedEvents } from './bounded-page.js';
import { onWorkgroup } from './decide-command.js';
import { parsePublic } from './parse-public.js';
import type { RequestHandlers } from './request-handlers.js';
import { requireReading } from './require-reading.js';

type Ports = { readonly store: WorkgroupStore };

/** Workgroups: their seat, phase, approvals, and what happened in them. */
export function workgroupRequests(ports: Ports): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.coordinate]: onWorkgroup(ports, {
      schema: coordinateSchema,
      decide: decideCoordinate,
    }),
    [REGISTRY_SUBJECTS.advancePhase]: onWorkgroup(ports, {
      schema: advancePhaseSchema,
      decide: decideAdvancePhase,
    }),
    [REGISTRY_SUBJECTS.approve]: onWorkgroup(ports, { schema: approveSchema, decide: decideApprove }),
    [REGISTRY_SUBJECTS.readWorkgroup]: (body) => readWorkgroup(ports, body),
    [REGISTRY_SUBJECTS.workgroupEvents]: (body) => workgroupEvents(ports, body),
  };
}

async function readWorkgroup({ store }: Ports, body: JsonValue): Promise<JsonValue> {
  const reading = await requireReading(store, parsePublic(workgroupQuerySchema, body));
  const view = workgroupView({ workgroup: asOf(reading), now: reading.now });
  return view as JsonValue;
}

async function workgroupEvents({ store }: Ports, body: JsonValue): Promise<JsonValue> {
  const page = parsePublic(workgroupPageSchema, body);
  const { items, hasMore } = await boundedEvents(store, page, (event) => [eventView(event)]);
  const last = items.at(-1);
  if (!last) await requireReading(store, page);
  const answer: WorkgroupEvents = {
    events: [...items],
    ...(hasMore && last && { next: last.sequence }),
  };
  return answer as JsonValue;
}

function eventView(event: RecordedWorkgroupEvent): WorkgroupEventView {
  const { sequence, type, recordedAt, payload } = event;
  const lineageId = 'lineageId' in event ? event.lineageId : undefined;
  return {
    sequence,
    type,
    recordedAt,
    ...(lineageId !== undefined && { lineageId }),
    payload: payload as unknown as WorkgroupEventView['payload'],
  };
}
