import { z } from 'zod';

const status = z.object({
  status: z.string(),
  checks: z.record(z.string(), z.enum(['ok', 'failing'])).optional(),
});

/** Operations of the host itself, public all of them, for the list of all. */
export const PLATFORM_OPERATIONS = {
  discovery: {
    method: 'GET',
    path: '/.well-known/openwop',
    status: 200,
    summary: 'What this host serves',
    description:
      'The capabilities of the running configuration. Carries an ETag; If-None-Match answers 304 while nothing has changed.',
    response: z.looseObject({
      protocolVersion: z.string(),
      supportedEnvelopes: z.array(z.string()),
      schemaVersions: z.record(z.string(), z.int()),
      limits: z.record(z.string(), z.int()),
      fixtures: z.array(z.string()),
    }),
    conditional: true,
    errors: [],
  },
  openApi: {
    method: 'GET',
    path: '/v1/openapi.json',
    status: 200,
    summary: 'This document',
    response: z.looseObject({ openapi: z.string() }),
    errors: [],
  },
  healthz: {
    method: 'GET',
    path: '/healthz',
    status: 200,
    summary: 'The process lives',
    response: status,
    errors: [],
  },
  readyz: {
    method: 'GET',
    path: '/readyz',
    status: 200,
    summary: 'The process can do its work; 503 where it cannot',
    response: status,
    errors: ['service_unavailable'],
  },
} as const;
