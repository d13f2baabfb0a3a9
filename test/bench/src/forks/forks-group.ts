import { ReplayClient } from '@palimpsest/adapter-clients';
import { artifactStoreMigrations, createPool, runLogMigrations } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { silentLogger, systemClock } from '@palimpsest/kernel';
import {
  PostgresForkJobs,
  ReplayCoordinatorModule,
  replayCoordinatorMigrations,
} from '@palimpsest/replay-coordinator';
import { assemblerMigrations } from '@palimpsest/transcript-assembler';
import type { Pool } from 'pg';
import type { BenchGroup } from '../bench-group.js';
import { startServices, type Services } from '../measure/services.js';
import { branchTimes } from './branch-times.js';
import { forkDepths } from './fork-depths.js';
import { replayRates } from './replay-rates.js';

const MIGRATIONS = [
  runLogMigrations,
  artifactStoreMigrations,
  assemblerMigrations,
  replayCoordinatorMigrations,
];

/** Forks through the coordinator's handlers, as the gateway asks for them. */
export const forksGroup: BenchGroup = {
  name: 'forks',
  async run(context) {
    const database = await createTestDatabase(MIGRATIONS);
    const pool = createPool(database.url, { applicationName: 'bench' });
    const services = await startServices(pool);
    const coordinator = coordinatorOf(services, pool);
    try {
      await coordinator.onApplicationBootstrap();
      const ports = { services, pool, replay: new ReplayClient(services.bus) };
      return [
        ...(await branchTimes(ports, context)),
        ...(await forkDepths(ports, context)),
        ...(await replayRates(ports, context)),
      ];
    } finally {
      await coordinator.onModuleDestroy();
      await pool.end();
      await database.drop();
    }
  },
};

function coordinatorOf({ log, artifacts, bus, assembler }: Services, pool: Pool): ReplayCoordinatorModule {
  return new ReplayCoordinatorModule({
    eventLog: log,
    artifacts,
    bus,
    jobs: new PostgresForkJobs(pool),
    assembler: { verify: (query) => assembler.verifyRun.handle(query) },
    clock: systemClock,
    logger: silentLogger,
  });
}
