import type { JsonValue } from '@palimpsest/contracts';
import {
  REGISTRY_SUBJECTS,
  listTelemetrySchema,
  recordedTelemetrySchema,
  recordTelemetrySchema,
  type RecordedTelemetry,
} from '@palimpsest/contracts/registry';
import { parseRequest } from '@palimpsest/kernel';
import { canonicalEntries } from '../domain/telemetry/canonical-entries.js';
import type { TelemetryStore } from '../store/telemetry-store.js';
import { parsePublic } from './parse-public.js';
import type { RequestHandlers } from './request-handlers.js';

export type TelemetryPorts = { readonly telemetry: Pick<TelemetryStore, 'record' | 'list'> };

/** Of a batch in which one event, or one name, is refused nothing is recorded. */
export function telemetryRequests({ telemetry }: TelemetryPorts): RequestHandlers {
  return {
    [REGISTRY_SUBJECTS.recordTelemetry]: (body) => record(telemetry, body),
    [REGISTRY_SUBJECTS.listTelemetry]: async (body) =>
      (await telemetry.list(parsePublic(listTelemetrySchema, body))) as JsonValue,
  };
}

/** Names under which a batch is recorded. Events have rules of their own, and are refused by the contract's codes. */
const namesSchema = recordTelemetrySchema
  .pick({ environment: true })
  .extend({ ids: recordedTelemetrySchema.shape.recorded });

async function record(telemetry: TelemetryPorts['telemetry'], body: JsonValue): Promise<RecordedTelemetry> {
  const { tenantId, environment, events } = parseRequest(recordTelemetrySchema, body);
  parsePublic(namesSchema, { environment, ids: events.map(({ id }) => id) });
  return telemetry.record(tenantId, environment, canonicalEntries(events));
}
