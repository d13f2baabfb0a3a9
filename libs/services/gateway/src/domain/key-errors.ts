import { TerminalError } from '@palimpsest/kernel';
import type { KeyKind } from './api-key.js';

/** Live and test keys do not cross over (host specification §2.1). */
export class TenantKindError extends TerminalError {
  constructor(
    readonly tenantId: string,
    readonly kind: KeyKind,
  ) {
    super(
      'validation_error',
      `The tenant ${tenantId} is ${kind === 'test' ? 'for tests: it takes test keys only' : 'live: it takes no test keys'}.`,
      { details: { field: 'tenantId', kind } },
    );
  }
}

const WHY = {
  revoked: 'was revoked',
  expired: 'has expired',
  rotated: 'has a successor already',
} as const;

/** A key that opens nothing any more, or has a successor, has none to be made. */
export class KeyNotRotatableError extends TerminalError {
  constructor(
    readonly keyId: string,
    why: keyof typeof WHY,
  ) {
    super('validation_error', `The key ${keyId} ${WHY[why]}; create a new one.`, {
      details: { field: 'keyId', why },
    });
  }
}
