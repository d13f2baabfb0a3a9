import { createPool, artifactStoreMigrations, runLogMigrations } from '@palimpsest/adapter-postgres';
import { createTestDatabase } from '@palimpsest/adapter-postgres/testing';
import { assemblerMigrations } from '@palimpsest/transcript-assembler';
import type { BenchGroup } from '../bench-group.js';
import { startServices } from '../measure/services.js';
import { againstLinearPass, againstTrimMessages } from './against-others.js';
import { growthRows } from './growth.js';
import { windowTimes } from './window-times.js';

/** Windows over the real log and content store, in the steady state: one new message, one window. */
export const windowsGroup: BenchGroup = {
  name: 'windows',
  async run(context) {
    const database = await createTestDatabase([
      runLogMigrations,
      artifactStoreMigrations,
      assemblerMigrations,
    ]);
    const pool = createPool(database.url, { applicationName: 'bench' });
    try {
      const services = await startServices(pool);
      return [
        ...(await windowTimes(services, context)),
        ...(await againstTrimMessages(services, context)),
        ...(await againstLinearPass(services, context)),
        ...(await growthRows({ services, pool }, context)),
      ];
    } finally {
      await pool.end();
      await database.drop();
    }
  },
};
