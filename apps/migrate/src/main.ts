import { createPool, runMigrations } from '@palimpsest/adapter-postgres';
import { createLogger, processEnvironment, readMigrateConfig, runProcess } from '@palimpsest/host';
import { migrationSets } from './migration-sets.js';

await runProcess('migrate', async () => {
  const config = readMigrateConfig(processEnvironment());
  const logger = createLogger({ service: 'migrate', level: config.logLevel });
  const pool = createPool(config.databaseUrl, { applicationName: 'palimpsest-migrate', logger });
  try {
    const applied = await runMigrations(pool, migrationSets);
    logger.info({ applied: applied.map(({ schema, name }) => `${schema}/${name}`) }, 'Up to date');
  } finally {
    await pool.end();
  }
});
