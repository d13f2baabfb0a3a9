import { z } from 'zod';
import { MAX_REQUEST_BYTES } from '@palimpsest/context-efficiency';

/** Decisions of the context-efficiency contract, for the list of all. */
export const CONTEXT_OPERATIONS = {
  decideContext: {
    method: 'POST',
    path: '/v1/context/{operation}',
    scopes: ['context:decide'],
    status: 200,
    summary: 'Decide by the context-efficiency contract, keeping nothing',
    description:
      'operation is route, lineage, capsule, telemetry, rollout, result-policy, vault-delta, dispatch or promotion. Request and answer are the contract’s: 200 with ok false is its refusal, also of a body that is no JSON object. Owned paths are judged by their text alone.',
    body: z.record(z.string(), z.unknown()),
    bodyBytes: MAX_REQUEST_BYTES,
    rawBody: true,
    keepsNothing: true,
    response: z.union([
      z.object({ ok: z.literal(true), operation: z.string(), result: z.unknown() }),
      z.object({ ok: z.literal(false), code: z.string(), message: z.string() }),
    ]),
    errors: ['not_found'],
  },
} as const;
