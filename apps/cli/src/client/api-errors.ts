import type { JsonValue } from '@palimpsest/contracts';
import { CliError, EXIT } from '../program/cli-error.js';
import { printable } from '../output/text.js';

export type Refusal = {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, JsonValue>>;
};

/** The server understood and said no. */
export class ServerRefusedError extends CliError {
  readonly status: number;
  readonly details: Refusal['details'];

  constructor(refusal: Refusal) {
    const hint = HINTS[refusal.code];
    super(printable(refusal.message), {
      code: printable(refusal.code),
      exitCode: EXIT.server,
      ...(hint !== undefined && { hint }),
    });
    this.status = refusal.status;
    this.details = refusal.details;
  }
}

const HINTS: Readonly<Record<string, string>> = {
  unauthenticated:
    'Give a key with --key or PALIMPSEST_API_KEY, or run this where "palimpsest start" wrote .palimpsest/credentials.json.',
  key_revoked: 'Give another key with --key or PALIMPSEST_API_KEY.',
  context_budget_infeasible: 'Raise --budget, or lower --keep-last.',
  run_not_active:
    'A finished run can still be read, verified and forked: palimpsest fork <run> --mode branch --from <sequence>',
};

export class ServerUnreachableError extends CliError {
  constructor(url: string, cause: unknown) {
    super(`no server answers at ${url}`, {
      code: 'unreachable',
      exitCode: EXIT.server,
      hint: 'Start one with "palimpsest start", or say where it is: --url, PALIMPSEST_URL.',
      cause,
    });
  }
}

/** Something answers that is not this API. */
export class UnexpectedAnswerError extends CliError {
  constructor(url: string, status: number) {
    super(`${url} answered ${status} in a way that is not Palimpsest's`, {
      code: 'unexpected_answer',
      exitCode: EXIT.server,
      hint: 'Is --url or PALIMPSEST_URL right? It is the root of the server, such as http://127.0.0.1:8080.',
    });
  }
}
