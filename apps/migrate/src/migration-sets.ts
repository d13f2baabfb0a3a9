import {
  artifactStoreMigrations,
  BUS_MIGRATIONS,
  runLogMigrations,
  type MigrationSet,
} from '@palimpsest/adapter-postgres';
import { gatewayMigrations } from '@palimpsest/gateway';
import { lineageRegistryMigrations } from '@palimpsest/lineage-registry';
import { orchestratorMigrations } from '@palimpsest/orchestrator';
import { replayCoordinatorMigrations } from '@palimpsest/replay-coordinator';
import { runLogRelayMigrations } from '@palimpsest/run-log';
import { assemblerMigrations } from '@palimpsest/transcript-assembler';

/** Every schema of the system, each owned by one package. */
export const migrationSets: readonly MigrationSet[] = [
  runLogMigrations,
  runLogRelayMigrations,
  artifactStoreMigrations,
  BUS_MIGRATIONS,
  assemblerMigrations,
  replayCoordinatorMigrations,
  lineageRegistryMigrations,
  orchestratorMigrations,
  gatewayMigrations,
];
