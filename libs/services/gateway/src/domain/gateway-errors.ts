import { RetryableError, TerminalError } from '@palimpsest/kernel';

export class UnauthenticatedError extends TerminalError {
  constructor(code: 'unauthenticated' | 'key_revoked' = 'unauthenticated') {
    super(
      code,
      code === 'key_revoked'
        ? 'This API key was revoked.'
        : 'Send a valid API key: "Authorization: Bearer pal_…".',
    );
  }
}

export class ScopeMissingError extends TerminalError {
  constructor(scope: string) {
    super('forbidden', `This API key lacks the scope ${scope}.`, { details: { scopeRequired: scope } });
  }
}

export class ForeignTenantError extends TerminalError {
  constructor() {
    super('forbidden', 'tenantId is not the tenant of this API key; leave it out.', {
      details: { field: 'tenantId' },
    });
  }
}

export class MethodNotAllowedError extends TerminalError {
  constructor(
    method: string,
    readonly allowed: readonly string[],
  ) {
    super('method_not_allowed', `${method} is not served here; allowed: ${allowed.join(', ')}.`, {
      details: { allow: [...allowed] },
    });
  }
}

export class UnsupportedMediaTypeError extends TerminalError {
  constructor(message = 'Send the body as JSON: "Content-Type: application/json".') {
    super('unsupported_media_type', message);
  }
}

export class BudgetInfeasibleError extends TerminalError {
  constructor(
    message: string,
    readonly minimumBudget: number,
    readonly minimumTranscriptWindow?: number,
  ) {
    super('context_budget_infeasible', message, {
      details: {
        field: minimumTranscriptWindow === undefined ? CONTEXT_BUDGET : CONTEXT_WINDOW,
        minimumBudget,
        ...(minimumTranscriptWindow !== undefined && { minimumTranscriptWindow }),
      },
    });
  }
}

const CONTEXT_BUDGET = 'configurable.context.transcriptTokenBudget';
const CONTEXT_WINDOW = 'configurable.context.transcriptWindow';

/** The key was used with another body. The answer names no run (host specification §8.1). */
export class IdempotencyKeyMismatchError extends TerminalError {
  constructor() {
    super('idempotency_key_mismatch', 'This Idempotency-Key was used with a different request body.');
  }
}

export class IdempotencyInFlightError extends RetryableError {
  constructor() {
    super('idempotency_in_flight', 'A request with this Idempotency-Key is still at work.', {
      retryAfterMs: 1000,
      details: { retryAfter: 1 },
    });
  }
}
