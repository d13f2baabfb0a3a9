export type ApiRefusal = {
  /** The HTTP status. */
  readonly status: number;
  /** Stable, of the error envelope (host specification §2.3). */
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** What the server's operators find the request by. */
  readonly requestId?: string | undefined;
  /** How long the server asked to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
};

/** What this client throws by itself. None of it holds a key, a body or an answer that is not the API's. */
export class ClientError extends Error {
  constructor(
    message: string,
    /** Stable. */
    readonly code: string,
    options: ErrorOptions = {},
  ) {
    super(message, options);
    // Written out per class below: a bundler may rename classes.
    this.name = 'ClientError';
  }
}

/** The server understood and said no: its error envelope (host specification §2.2). */
export class ApiError extends ClientError {
  readonly status: number;
  readonly details: Readonly<Record<string, unknown>>;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor({ status, code, message, details, requestId, retryAfterMs }: ApiRefusal) {
    super(message, code);
    this.name = 'ApiError';
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No server answers, and waiting for it has not helped. Code `unreachable`. */
export class UnreachableError extends ClientError {
  constructor(
    readonly url: string,
    options: ErrorOptions = {},
  ) {
    super(`no server answers at ${url}`, 'unreachable', options);
    this.name = 'UnreachableError';
  }
}

/** Something answers that is not this API: a proxy's page, a redirect, another program. Code `unexpected_answer`. */
export class UnexpectedAnswerError extends ClientError {
  constructor(
    readonly url: string,
    /** Undefined where the platform does not tell, as of a redirect in a browser. */
    readonly status: number | undefined,
  ) {
    super(
      `${url} answered${status === undefined ? '' : ` ${status}`} in a way that is not Palimpsest's`,
      'unexpected_answer',
    );
    this.name = 'UnexpectedAnswerError';
  }
}

/** The URL or the key cannot be used at all. Code `invalid_target`. The message shows neither. */
export class InvalidTargetError extends ClientError {
  constructor(problem: string) {
    super(problem, 'invalid_target');
    this.name = 'InvalidTargetError';
  }
}
