import { listApiKeys, type ListedApiKey } from '@palimpsest/gateway';
import { tableLines, type Column } from '../output/table.js';
import { moment, oneLine } from '../output/text.js';
import type { Session } from '../program/session.js';
import { withKeyDatabase, type KeyDatabaseOptions } from './key-database.js';
import { KEY_SCOPES } from './key-options.js';

export type ListKeysOptions = KeyDatabaseOptions & { readonly tenant?: string };

const COLUMNS: readonly Column[] = [
  { title: 'id' },
  { title: 'tenant' },
  { title: 'name', dropFirst: 3 },
  { title: 'kind' },
  { title: 'created', dropFirst: 1 },
  { title: 'expires', dropFirst: 4 },
  { title: 'revoked', dropFirst: 2 },
  { title: 'scopes', flexible: true },
];

/** `palimpsest keys list`: every key but its secret, which nobody has. */
export async function listKeys(options: ListKeysOptions, { output, environment }: Session): Promise<void> {
  const keys = await withKeyDatabase(options, environment, (database) =>
    listApiKeys(database, options.tenant),
  );
  if (options.json) return output.json({ keys });
  if (keys.length === 0)
    return output.note('No keys. Make one: npx palimpsest keys create --name <name> --scopes all');
  output.lines(tableLines(COLUMNS, keys.map(rowOf), output.width));
}

function rowOf(key: ListedApiKey): string[] {
  return [
    key.keyId,
    key.tenantId,
    oneLine(key.name, 40),
    key.kind,
    when(key.createdAt),
    when(key.expiresAt),
    when(key.revokedAt),
    key.scopes.length === KEY_SCOPES.length ? 'all' : key.scopes.join(','),
  ];
}

function when(at: Date | null): string {
  return at === null ? '–' : moment(at.toISOString());
}
