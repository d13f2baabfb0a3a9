import { isTerminalStatus, type RunStatus } from '@palimpsest/contracts';
import { RetryableError, TerminalError } from '@palimpsest/kernel';

const NO_CREDENTIAL = {
  unauthenticated: 'Send a valid API key: "Authorization: Bearer pal_…".',
  key_revoked: 'This API key was revoked.',
  key_expired: 'This API key has expired.',
} as const;

export class UnauthenticatedError extends TerminalError {
  constructor(code: keyof typeof NO_CREDENTIAL = 'unauthenticated') {
    super(code, NO_CREDENTIAL[code]);
  }
}

/** What was used up: a key's, a tenant's or the whole host's share, or what an address may do without a key. */
export type RateLimitScope = 'tenant' | 'route' | 'global' | 'key';

/** Host specification §11.3. The header says the same in whole seconds. */
export class RateLimitedError extends RetryableError {
  constructor(scope: RateLimitScope, limit: number, waitMs: number) {
    const retryAfterMs = Math.max(1, Math.ceil(waitMs));
    super('rate_limited', 'Too many requests; try again when Retry-After has passed.', {
      retryAfterMs,
      details: { scope, retryAfterMs, limit },
    });
  }
}

export class ForcedEngineVersionError extends TerminalError {
  constructor() {
    super('force_engine_version_forbidden', 'X-Force-Engine-Version is for test keys only.');
  }
}

/** A version that this host does not serve; `details` says which it does. */
export class UnsupportedEngineVersionError extends TerminalError {
  constructor({ min, max }: { readonly min: number; readonly max: number }) {
    super('unsupported_force_engine_version', `X-Force-Engine-Version: from ${min} to ${max} are served.`, {
      details: { field: 'X-Force-Engine-Version', min, max },
    });
  }
}

export class ScopeMissingError extends TerminalError {
  constructor(scope: string) {
    super('forbidden', `This API key lacks the scope ${scope}.`, { details: { scopeRequired: scope } });
  }
}

/** Nothing is served there; what is, the documents say. */
export class PathNotFoundError extends TerminalError {
  constructor() {
    super('not_found', 'Nothing is served at this path. What is: /docs and /.well-known/openwop.');
  }
}

/** Asked for what only a run has whose loop is the caller's. */
export class HostExecutesRunError extends TerminalError {
  constructor(runId: string) {
    super(
      'not_found',
      'The host executes this run: it has no windows and no usage. Its events and its snapshot tell how it went.',
      { details: { runId } },
    );
  }
}

export class HostWritesRunError extends TerminalError {
  constructor(runId: string, runStatus: RunStatus) {
    const message = isTerminalStatus(runStatus)
      ? `The host executed this run, and it has ended: it is ${runStatus}.`
      : 'The host executes this run: it takes no turns and no windows, and ends by itself.';
    super('run_not_active', message, { details: { runId, runStatus } });
  }
}

/** An event that says nothing of its own, or is fed in any case. */
export class UnpinnableEventError extends TerminalError {
  constructor(eventId: string) {
    super('unsupported_content', 'Only what is in the transcript can be pinned: this event is not.', {
      details: { field: 'eventId', eventId },
    });
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

/** Something that requests need does not answer this process. */
export class NotReadyError extends RetryableError {
  constructor(checks: Readonly<Record<string, 'ok' | 'failing'>>) {
    super('service_unavailable', 'This process is not ready.', { details: { checks } });
  }
}
