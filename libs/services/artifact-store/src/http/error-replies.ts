import { ERROR_STATUS, type ErrorCode, type ErrorEnvelope } from '@palimpsest/contracts';
import {
  isPalimpsestError,
  TerminalError,
  toWireError,
  ValidationError,
  type Logger,
  type WireError,
} from '@palimpsest/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the framework refuses by itself, in our words; its own messages may quote the request. */
const FRAMEWORK_REFUSALS: Readonly<Record<number, () => TerminalError>> = {
  400: () => new ValidationError('The request is malformed.'),
  413: () => new TerminalError('payload_too_large', 'The request body is too large.'),
  415: () => new TerminalError('unsupported_media_type', 'The media type is not supported.'),
};

/** Answers an error as the flat envelope. Only ids and codes are logged: a driver's message may quote content. */
export function replyWithError(
  logger: Logger,
): (error: unknown, request: FastifyRequest, reply: FastifyReply) => void {
  return (error, request, reply) => {
    const wire = toWireError(ownError(error));
    const status = ERROR_STATUS[wire.code as ErrorCode];
    if (status >= 500) logFailure(logger, error, { route: request.routeOptions.url, code: wire.code });
    if (wire.retryAfterMs !== undefined)
      void reply.header('retry-after', String(Math.max(1, Math.ceil(wire.retryAfterMs / 1000))));
    void reply.code(status).send(envelopeOf(wire));
  };
}

/** The other side went away in the middle of its request: no fault of this service. */
const CLIENT_GONE = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

/** Logs what an error is, and nothing that it says. */
export function logFailure(logger: Logger, error: unknown, fields: object): void {
  const { name, code } = error as { name?: unknown; code?: unknown };
  const described = { ...fields, errorName: String(name), errorCode: String(code) };
  if (CLIENT_GONE.has(String(code))) logger.info(described, 'the caller went away');
  else if (isPalimpsestError(error) && error.retryable)
    logger.warn(described, 'a request could not be served now');
  else logger.error(described, 'artifact store request failed');
}

function ownError(error: unknown): unknown {
  if (isPalimpsestError(error)) return error;
  const { statusCode } = error as { statusCode?: unknown };
  return (typeof statusCode === 'number' && FRAMEWORK_REFUSALS[statusCode]?.()) || error;
}

function envelopeOf({ code, message, details }: WireError): ErrorEnvelope {
  return { error: code, message, ...(details && { details: { ...details } }) } as ErrorEnvelope;
}
