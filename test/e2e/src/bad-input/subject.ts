import type { HttpRequest } from './bad-request.js';
import type { Credentials } from './credentials.js';
import { jsonText } from './json-text.js';
import type { Operation } from './openapi.js';
import type { Target } from './targets.js';

/** An operation, a request to it that would be taken, and who asks. */
export type Subject = {
  readonly operation: Operation;
  readonly operations: readonly Operation[];
  readonly target: Target;
  readonly key: string;
  readonly credentials: Credentials;
  /** Bytes of the largest body that the host takes. */
  readonly largestBody: number;
};

type Changes = {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly method?: string;
  readonly headers?: HttpRequest['headers'];
  /** `null`: none. */
  readonly body?: string | Buffer | null;
};

/** The request that would be taken, with changes. `params` are percent-encoded already. */
export function requestTo({ operation, target, key }: Subject, changes: Changes = {}): HttpRequest {
  const params = { ...target.params, ...changes.params };
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => params[name] ?? '');
  const query = changes.query ?? new URLSearchParams(target.query).toString();
  const taken = operation.body && target.body !== undefined ? jsonText(target.body) : undefined;
  const body = (changes.body === undefined ? taken : changes.body) ?? undefined;
  return {
    method: changes.method ?? operation.method,
    path: `${path}${query === '' ? '' : `?${query}`}`,
    headers: {
      ...(operation.secured && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...changes.headers,
    },
    ...(body !== undefined && { body }),
  };
}
