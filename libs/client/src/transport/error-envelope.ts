import type { ApiRefusal } from '../client-errors.js';

/** The API's refusal that this answer is, or undefined where it is something else's. */
export function refusalOf(response: Response, text: string, now: number): ApiRefusal | undefined {
  const envelope = envelopeIn(text);
  if (!envelope) return undefined;
  const { error: code, message, details = {} } = envelope;
  const correlationId = details['correlationId'];
  return {
    status: response.status,
    code,
    message,
    details,
    requestId:
      response.headers.get('x-request-id') ?? (typeof correlationId === 'string' ? correlationId : undefined),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after'), now) ?? secondsIn(details['retryAfter']),
  };
}

type Envelope = Pick<ApiRefusal, 'message'> & {
  readonly error: string;
  readonly details?: ApiRefusal['details'];
};

/** Read with less rigour than it is written with: a newer server may say more. */
function envelopeIn(text: string): Envelope | undefined {
  try {
    const { error, message, details } = JSON.parse(text) as Partial<Record<string, unknown>>;
    if (typeof error !== 'string' || typeof message !== 'string') return undefined;
    return { error, message, ...(isObject(details) && { details }) };
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Seconds or an HTTP date (RFC 9110 §10.2.3), in milliseconds from now. */
export function retryAfterMs(header: string | null, now: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

/** A browser shows a page of another origin no `Retry-After`; some envelopes repeat it. */
function secondsIn(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value * 1000 : undefined;
}
