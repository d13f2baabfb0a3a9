import { runDiffSchema } from '@palimpsest/contracts';
import { diffQuerySchema } from '../domain/requests.js';

/** Operations on two runs, for the list of all. */
export const COMPARISON_OPERATIONS = {
  diffRuns: {
    method: 'GET',
    path: '/v1/runs/{runId}/diff',
    scopes: ['runs:read'],
    status: 200,
    summary: 'Compare two runs: where they diverge, and their windows side by side',
    description:
      'with names the other run. Events are compared without ids and times; what one of the runs shares with the other is not read. A window is identical where it fed the same stored texts. At most 500 iterations a page, as of usage; the rest of the answer is over the whole runs.',
    query: diffQuerySchema,
    response: runDiffSchema,
    errors: ['not_found'],
  },
} as const;
