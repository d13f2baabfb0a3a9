import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ZodError } from 'zod';
import { ERROR_STATUS, type ErrorEnvelope } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  RetryableError,
  ServiceUnavailableError,
  TerminalError,
  ValidationError,
  type Logger,
  type PalimpsestError,
} from '@palimpsest/kernel';
import { isDatabaseUnavailable } from '@palimpsest/adapter-postgres';
import {
  MethodNotAllowedError,
  PathNotFoundError,
  UnsupportedMediaTypeError,
} from '../domain/gateway-errors.js';
import { validationErrorOf } from '../domain/parse-request.js';
import { RecordedFailure } from '../handlers/idempotent-requests.js';

/** The one way from an error to an answer. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    const error = knownError(thrown);
    const status = ERROR_STATUS[error.code];
    if (status >= 500) this.report(thrown, error, request);
    if (reply.sent) return;
    if (thrown instanceof RecordedFailure) reply.header('openwop-Idempotent-Replay', 'true');
    if (error instanceof RetryableError) reply.header('retry-after', retryAfterSeconds(error));
    if (error instanceof MethodNotAllowedError) reply.header('allow', error.allowed.join(', '));
    if (status === 401) reply.header('www-authenticate', 'Bearer');
    // A stream that failed before its first byte leaves its type behind.
    reply.removeHeader('content-length').type('application/json; charset=utf-8');
    reply.status(status).send(envelopeOf(error, status, String(request.id)));
  }

  private report(thrown: unknown, error: PalimpsestError, request: FastifyRequest): void {
    const fields = {
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      code: error.code,
    };
    if (error.retryable) this.logger.warn({ ...fields, err: thrown }, 'A request could not be served now');
    else this.logger.error({ ...fields, err: thrown }, 'A request failed');
  }
}

export function envelopeOf(error: PalimpsestError, status: number, requestId: string): ErrorEnvelope {
  const details = { ...error.details, ...(status >= 500 && { correlationId: requestId }) };
  return {
    error: error.code,
    message: error.message,
    ...(Object.keys(details).length > 0 && { details: details }),
  };
}

function retryAfterSeconds(error: RetryableError): number {
  return Math.max(1, Math.ceil(error.retryAfterMs / 1000));
}

/** Whatever is not known becomes `internal_error`, whose message says nothing of it. */
export function knownError(thrown: unknown): PalimpsestError {
  if (isPalimpsestError(thrown)) return thrown;
  if (thrown instanceof ZodError) return validationErrorOf(thrown);
  if (isDatabaseUnavailable(thrown)) return new ServiceUnavailableError('The database', { cause: thrown });
  return (
    frameworkError(statusOf(thrown)) ??
    new TerminalError('internal_error', 'The service failed unexpectedly.')
  );
}

/** Of Nest (`getStatus`) and of Fastify (`statusCode`). */
function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  return (thrown as { statusCode?: number } | null | undefined)?.statusCode;
}

function frameworkError(status: number | undefined): PalimpsestError | undefined {
  if (status === undefined || status >= 500 || status < 400) return undefined;
  if (status === 404) return new PathNotFoundError();
  if (status === 415) return new UnsupportedMediaTypeError();
  if (status === 413) return new TerminalError('payload_too_large', 'The body is too large.');
  return new ValidationError('The request is malformed.');
}
