import type { JsonObject, JsonValue } from '@palimpsest/contracts';
import { RetryableError, TerminalError } from '../errors/palimpsest-error.js';

export type ModelMessage = { readonly role: 'user' | 'assistant'; readonly text: string };

/**
 * `schema`: JSON Schema of an object. `name` tells the model and the provider what it is. `check`: what the answer is held
 * to instead, where that says more than the forms of providers can.
 */
export type AnswerForm =
  | { readonly kind: 'text' }
  | {
      readonly kind: 'object';
      readonly name: string;
      readonly schema: JsonObject;
      readonly check?: JsonObject;
    };

export type ModelRequest = {
  /** Of the configured provider; absent: the one that is configured. Whether it may be asked is the caller's to know. */
  readonly model?: string;
  /** Byte for byte the same from turn to turn, so that the provider's cache hits. */
  readonly system: string;
  /** Grows at its end only, for the same reason. */
  readonly messages: readonly ModelMessage[];
  readonly answer: AnswerForm;
  /** Most tokens of the answer, without those of reasoning. */
  readonly maxOutputTokens: number;
  readonly temperature?: number;
  readonly seed?: number;
  /** Longest wait for one answer of the provider; every further attempt has as long. */
  readonly timeoutMs: number;
  /** Names the invocation (host specification §8.2): a retry keeps it, another turn has another. */
  readonly invocationId: string;
  /** Ends the call at once, with {@link ModelAbortedError}. */
  readonly signal?: AbortSignal;
};

/** Of one answer of the provider. A number that it did not report is absent, never 0. */
export type ModelUsage = {
  readonly provider: string;
  readonly model: string;
  /** All input, read from a cache or not. */
  readonly inputTokens?: number;
  /** All output, reasoning included. */
  readonly outputTokens?: number;
  readonly totalTokens?: number;
  readonly reasoningTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
};

type Billed = {
  /** One for each answer of the provider that was billed, in order: of failed attempts to repair, too. */
  readonly usages: readonly ModelUsage[];
};

export type ModelAnswer = Billed &
  (
    | { readonly kind: 'text'; readonly text: string; readonly finish: 'stop' | 'length' }
    | { readonly kind: 'object'; readonly value: JsonValue }
    /** `category`: the provider's word for why, where it has one. */
    | { readonly kind: 'refusal'; readonly category?: string }
  );

/**
 * Asks a model once. What may pass is tried again and an answer that does not fit is sent back, both in bounds; what
 * then remains is a {@link ModelError}. No text of a request or an answer is in any error or log.
 */
export interface Model {
  ask(request: ModelRequest): Promise<ModelAnswer>;
}

/** What an error of a model may tell: names, numbers and the provider's codes. */
export type ModelFailure = Billed & {
  readonly provider: string;
  readonly model: string;
  /** HTTP status of the provider's answer, where it gave one. */
  readonly status?: number;
  /** The provider's own code for what went wrong. */
  readonly providerCode?: string;
};

export class ModelRateLimitedError extends RetryableError {
  readonly reason = 'model_rate_limited';
  readonly usages: readonly ModelUsage[];

  constructor(failure: ModelFailure & { readonly retryAfterMs?: number }) {
    super('rate_limited', 'The model provider takes no more requests for now.', {
      details: detailsOf(failure, 'model_rate_limited'),
      ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
    });
    this.usages = failure.usages;
  }
}

/** How a provider failed that may succeed later. */
export type ModelOutage =
  /** No answer in `timeoutMs`, or in what the call had left. */
  | 'timeout'
  /** No connection, or a lost one. */
  | 'connection'
  /** 5xx and its like. */
  | 'status'
  /** A successful status, and a body that is none of the provider's answers; it may have been billed. */
  | 'unreadable';

export class ModelUnavailableError extends RetryableError {
  readonly reason = 'model_unavailable';
  readonly usages: readonly ModelUsage[];
  readonly outage: ModelOutage;

  constructor(failure: ModelFailure & { readonly outage: ModelOutage; readonly retryAfterMs?: number }) {
    super('service_unavailable', 'The model provider does not answer; try again shortly.', {
      details: { ...detailsOf(failure, 'model_unavailable'), outage: failure.outage },
      ...(failure.retryAfterMs !== undefined && { retryAfterMs: failure.retryAfterMs }),
    });
    this.usages = failure.usages;
    this.outage = failure.outage;
  }
}

/** The provider will never take this request: malformed, too long, a wrong key, an unknown model, an empty account. */
export class ModelRequestRefusedError extends TerminalError {
  readonly reason = 'model_request_refused';
  readonly usages: readonly ModelUsage[];

  constructor(failure: ModelFailure) {
    super('internal_error', 'The model provider refused the request.', {
      details: detailsOf(failure, 'model_request_refused'),
    });
    this.usages = failure.usages;
  }
}

/** What is wrong with an answer. */
export type AnswerDefect = 'empty' | 'truncated' | 'not-json' | 'schema-mismatch';

export class ModelAnswerInvalidError extends TerminalError {
  readonly reason = 'model_answer_invalid';
  readonly usages: readonly ModelUsage[];
  /** Of the last answer. */
  readonly defect: AnswerDefect;

  /** `keywords`: the words of the schema that the last answer breaks. */
  constructor(
    failure: ModelFailure & { readonly defect: AnswerDefect; readonly keywords?: readonly string[] },
  ) {
    super('internal_error', 'The model gave no answer of the form that was asked for.', {
      details: {
        ...detailsOf(failure, 'model_answer_invalid'),
        defect: failure.defect,
        ...(failure.keywords && { keywords: [...failure.keywords] }),
      },
    });
    this.usages = failure.usages;
    this.defect = failure.defect;
  }
}

/** The caller's signal ended the call. The same request may be made again. */
export class ModelAbortedError extends RetryableError {
  readonly reason = 'model_aborted';
  readonly usages: readonly ModelUsage[];

  constructor(failure: ModelFailure) {
    super('service_unavailable', 'The call of the model was given up.', {
      details: detailsOf(failure, 'model_aborted'),
    });
    this.usages = failure.usages;
  }
}

/** Told apart by `reason`, which stands in `details` too. */
export type ModelError =
  | ModelRateLimitedError
  | ModelUnavailableError
  | ModelRequestRefusedError
  | ModelAnswerInvalidError
  | ModelAbortedError;

export function isModelError(error: unknown): error is ModelError {
  return (
    error instanceof ModelRateLimitedError ||
    error instanceof ModelUnavailableError ||
    error instanceof ModelRequestRefusedError ||
    error instanceof ModelAnswerInvalidError ||
    error instanceof ModelAbortedError
  );
}

function detailsOf({ provider, model, status, providerCode }: ModelFailure, reason: string): JsonObject {
  return {
    reason,
    provider,
    model,
    ...(status !== undefined && { status }),
    ...(providerCode !== undefined && { providerCode }),
  };
}
