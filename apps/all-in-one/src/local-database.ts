import { join } from 'node:path';
import { findEmbeddedPostgres } from '@palimpsest/adapter-embedded-postgres';

/** Where the embedded server keeps its data under the data directory. */
export function postgresFolder(dataDirectory: string): string {
  return join(dataDirectory, 'postgres');
}

/** The URL of the embedded server that a running all-in-one has in its data directory; undefined where none runs. */
export function findLocalDatabase(dataDirectory: string): string | undefined {
  return findEmbeddedPostgres(postgresFolder(dataDirectory));
}
