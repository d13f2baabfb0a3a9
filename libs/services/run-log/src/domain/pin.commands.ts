import type { AddPin, RemovePin } from '@palimpsest/contracts';

/** What may be asked of a run of either kind: texts that all its windows feed. */
export type PinCommand =
  ({ readonly kind: 'add-pin' } & AddPin) | ({ readonly kind: 'remove-pin' } & RemovePin);
