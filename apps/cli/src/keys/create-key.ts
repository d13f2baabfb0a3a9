import { createApiKey, type Scope } from '@palimpsest/gateway';
import type { Session } from '../program/session.js';
import { withKeyDatabase, type KeyDatabaseOptions } from './key-database.js';
import { showNewKey } from './show-new-key.js';

export type CreateKeyOptions = KeyDatabaseOptions & {
  readonly tenant: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Seconds. */
  readonly expiresIn?: number;
  readonly test?: boolean;
};

/** `palimpsest keys create` */
export async function createKey(options: CreateKeyOptions, { output, environment }: Session): Promise<void> {
  const { tenant, name, scopes, expiresIn, test } = options;
  const made = await withKeyDatabase(options, environment, (database) =>
    createApiKey(database, {
      tenantId: tenant,
      name,
      scopes,
      kind: test ? 'test' : 'live',
      ...(expiresIn !== undefined && { lifetimeSeconds: expiresIn }),
    }),
  );
  if (options.json) return output.json({ ...made, tenantId: tenant });
  showNewKey({ ...made, tenantId: tenant }, output);
}
