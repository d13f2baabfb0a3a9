import { z } from 'zod';
import { MOST_SEQUENCE } from '@palimpsest/contracts/registry';

/** A page's length, as a query says it. */
export function rowLimit(most: number) {
  return z
    .string()
    .regex(/^\d{1,6}$/, 'must be a whole number')
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= most, `must lie between 1 and ${most}`);
}

/** A sequence, or −1 before the first. */
export const placeInStream = z
  .string()
  .regex(/^(?:-1|\d{1,15})$/, 'must be a whole number from -1')
  .transform(Number)
  .refine((place) => place <= MOST_SEQUENCE, `must be at most ${MOST_SEQUENCE}`);
