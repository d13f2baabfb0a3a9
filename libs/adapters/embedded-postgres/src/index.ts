export {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from './start-embedded-postgres.js';
export { EmbeddedPostgresError } from './embedded-postgres-error.js';
export { findEmbeddedPostgres } from './find-embedded-postgres.js';
