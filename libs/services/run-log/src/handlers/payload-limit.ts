import { PAYLOAD_BYTES, type NewRunEvent } from '@palimpsest/contracts';
import { PayloadTooLargeError } from '@palimpsest/kernel';

/** Refuses an event whose payload, as JSON, has more than 64 KiB. */
export function requireSmallPayloads(events: readonly NewRunEvent[]): void {
  for (const { payload } of events) {
    const bytes = Buffer.byteLength(JSON.stringify(payload));
    if (bytes > PAYLOAD_BYTES)
      throw new PayloadTooLargeError(bytes, PAYLOAD_BYTES, 'The event that records it');
  }
}
