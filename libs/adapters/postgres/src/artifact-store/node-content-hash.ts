import { createHash, createHmac } from 'node:crypto';
import type { ContentHash } from '@palimpsest/kernel';

export const nodeContentHash: ContentHash = {
  hmacSha256(key, parts) {
    const hmac = createHmac('sha256', key);
    for (const part of parts) hmac.update(part);
    return hmac.digest();
  },
  sha256: (bytes) => createHash('sha256').update(bytes).digest(),
};
