import { rotateApiKey } from '@palimpsest/gateway';
import { moment } from '../output/text.js';
import type { Session } from '../program/session.js';
import { withKeyDatabase, type KeyDatabaseOptions } from './key-database.js';
import { showNewKey } from './show-new-key.js';

export type RotateKeyOptions = KeyDatabaseOptions & {
  /** Seconds. */
  readonly grace: number;
  readonly expiresIn?: number;
};

/** `palimpsest keys rotate` */
export async function rotateKey(
  keyId: string,
  options: RotateKeyOptions,
  { output, environment }: Session,
): Promise<void> {
  const rotated = await withKeyDatabase(options, environment, (database) =>
    rotateApiKey(database, {
      keyId,
      graceSeconds: options.grace,
      ...(options.expiresIn !== undefined && { lifetimeSeconds: options.expiresIn }),
    }),
  );
  if (options.json) return output.json({ ...rotated, rotated: keyId });
  showNewKey(rotated, output);
  output.note(`Key ${keyId} opens until ${moment(rotated.oldExpiresAt.toISOString())}.`);
}
