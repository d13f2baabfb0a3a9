import { recordedTelemetrySchema, telemetryListSchema } from '@palimpsest/contracts/registry';
import { listTelemetryQuerySchema, recordTelemetryRequestSchema } from '../domain/telemetry-requests.js';

/** Efficiency events, for the list of all. */
export const TELEMETRY_OPERATIONS = {
  recordTelemetry: {
    method: 'POST',
    path: '/v1/telemetry/events',
    scopes: ['telemetry:write'],
    status: 200,
    summary: 'Record efficiency events',
    description:
      'Each under an id of its sender’s, recorded once. All of a batch are recorded, or none: context_refused names the first that the contract refuses by its index, and the contract’s code.',
    body: recordTelemetryRequestSchema,
    response: recordedTelemetrySchema,
    errors: ['private_content', 'context_refused'],
  },
  listTelemetry: {
    method: 'GET',
    path: '/v1/telemetry/events',
    scopes: ['telemetry:read'],
    status: 200,
    summary: 'Read efficiency events, in the order in which they were recorded',
    description: 'next, where there is one, is the next after.',
    query: listTelemetryQuerySchema,
    response: telemetryListSchema,
    errors: ['private_content'],
  },
} as const;
