import type { Scope } from '../../domain/api-key.js';
import { ScopeMissingError } from '../../domain/gateway-errors.js';
import type { Exchange } from '../exchange.decorator.js';

/** Where the seams of conformance tests are (host specification §9.1). */
export const SAMPLE = '/v1/host/sample';

/** Seams are in no list of operations: each says for itself what its caller has to hold. */
export function need({ caller }: Exchange, ...scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined) throw new ScopeMissingError(missing);
}
