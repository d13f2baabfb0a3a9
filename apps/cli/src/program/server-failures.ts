import type { ClientError } from '@palimpsest/client';
import { printable } from '../output/text.js';

const HINTS: Readonly<Record<string, string>> = {
  unauthenticated:
    'Give a key with --key or PALIMPSEST_API_KEY, or run this where "palimpsest start" wrote .palimpsest/credentials.json.',
  key_revoked: 'Give another key with --key or PALIMPSEST_API_KEY.',
  key_expired: 'Give another key with --key or PALIMPSEST_API_KEY.',
  context_budget_infeasible: 'Raise --budget, or lower --keep-last.',
  run_not_active:
    'A finished run can still be read, verified and forked: npx palimpsest fork <run> --mode branch --from <sequence>',
  stage_not_active:
    'Have something decided in this stage first: record a delegation, or POST /v1/rollouts/{environment}:select.',
  promotion_required:
    'Promote it: npx palimpsest rollout promote <environment> --family <name> --evidence <file>',
  intervention_in_progress:
    'One family at a time: see npx palimpsest rollout show <environment>, and bring that one to on or off.',
  unreachable: 'Start one with "palimpsest start", or say where it is: --url, PALIMPSEST_URL.',
  unexpected_answer:
    'Is --url or PALIMPSEST_URL right? It is the root of the server, such as http://127.0.0.1:8080.',
};

const CLIENT_ERRORS = ['ApiError', 'UnreachableError', 'UnexpectedAnswerError', 'InvalidTargetError'];

/** By name: whoever only asks for help does not load the client. */
export function isClientError(error: unknown): error is ClientError {
  return error instanceof Error && CLIENT_ERRORS.includes(error.name);
}

/** What a server said may not move the cursor. */
export function serverFailure(error: ClientError): {
  readonly message: string;
  readonly code: string;
  readonly hint: string | undefined;
} {
  const { code, message } = error;
  const hint = Object.hasOwn(HINTS, code) ? HINTS[code] : (greatestPlace(error) ?? actualVersion(error));
  return { message: printable(message), code: printable(code), hint };
}

/** Where a fork may leave its source at most. */
function greatestPlace(error: ClientError): string | undefined {
  const { details } = error as { readonly details?: { readonly greatestFromSeq?: unknown } };
  const greatestFromSeq = details?.greatestFromSeq;
  return typeof greatestFromSeq === 'number' ? `The greatest --from is ${greatestFromSeq}.` : undefined;
}

/** Which version a rollout has where another was expected. */
function actualVersion(error: ClientError): string | undefined {
  const { details } = error as { readonly details?: { readonly actualVersion?: unknown } };
  if (error.code !== 'version_conflict' || typeof details?.actualVersion !== 'number') return undefined;
  return `It is at version ${details.actualVersion}. See what changed: npx palimpsest rollout report <environment> --family <name>`;
}
