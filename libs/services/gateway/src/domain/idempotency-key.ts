import { ValidationError } from '@palimpsest/kernel';

/** Up to 255 URL-safe characters (host specification §8.1). */
const KEY = /^[A-Za-z0-9._~-]{1,255}$/;

export function idempotencyKeyOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && KEY.test(header)) return header;
  throw new ValidationError('Idempotency-Key: 1 to 255 letters, digits, ".", "_", "~" and "-".', {
    field: 'Idempotency-Key',
  });
}
