import { keptHostKey, readHostKey, type AllInOneConfig, type HostKey } from '@palimpsest/host';

/**
 * The key that certificates are signed with: the configured one; with an embedded database one of the data folder, made at
 * the first start. On another's database there may be several processes like this, which were to sign with one key.
 */
export function hostKeyFor(
  config: Pick<AllInOneConfig, 'hostKeyFile' | 'databaseUrl' | 'dataDirectory'>,
): HostKey | undefined {
  const { hostKeyFile, databaseUrl, dataDirectory } = config;
  if (hostKeyFile !== undefined) return readHostKey(hostKeyFile);
  return databaseUrl === undefined ? keptHostKey(dataDirectory) : undefined;
}
