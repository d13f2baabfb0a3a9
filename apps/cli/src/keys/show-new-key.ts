import type { MadeApiKey } from '@palimpsest/gateway';
import type { Output } from '../output/output.js';

/** The key alone goes to standard output, so that it can be piped to where it is kept. */
export function showNewKey(
  { key, keyId, tenantId }: MadeApiKey & { readonly tenantId: string },
  output: Output,
): void {
  output.line(key);
  output.note(`Key ${keyId} of tenant ${tenantId}. Its text is shown this once and kept nowhere.`);
}
