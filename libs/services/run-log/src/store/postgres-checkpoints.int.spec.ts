import { createTestDatabase, type TestDatabase } from '@palimpsest/adapter-postgres/testing';
import { LOG_START } from '@palimpsest/kernel';
import { runLogRelayMigrations } from './migrations.js';
import { PostgresCheckpoints } from './postgres-checkpoints.js';

const at = (transactionId: string, position: string) => ({ transactionId, position });

describe('checkpoints in Postgres', () => {
  let database: TestDatabase;
  let checkpoints: PostgresCheckpoints;
  beforeAll(async () => {
    database = await createTestDatabase([runLogRelayMigrations]);
    checkpoints = new PostgresCheckpoints(database.pool);
  });
  afterAll(() => database.drop());

  it('are absent at first', async () => {
    expect(await checkpoints.load('nobody')).toBeUndefined();
  });

  it('move forward only, by transaction and then by position, beyond 2^53', async () => {
    await checkpoints.save('r', LOG_START);
    await checkpoints.save('r', at('18446744073709551614', '9223372036854775806'));
    for (const earlier of [
      at('18446744073709551613', '9223372036854775807'),
      at('18446744073709551614', '9223372036854775805'),
      LOG_START,
    ]) {
      await checkpoints.save('r', earlier);
      expect(await checkpoints.load('r')).toEqual(at('18446744073709551614', '9223372036854775806'));
    }
    await checkpoints.save('r', at('18446744073709551615', '1'));
    expect(await checkpoints.load('r')).toEqual(at('18446744073709551615', '1'));
  });

  it('keep the furthest of those saved at once', async () => {
    const positions = Array.from({ length: 20 }, (_, place) => String(20 - place));
    await Promise.all(positions.map((position) => checkpoints.save('many', at('7', position))));
    expect(await checkpoints.load('many')).toEqual(at('7', '20'));
  });

  it('say so where the database does not answer', async () => {
    const gone = await createTestDatabase([runLogRelayMigrations]);
    await gone.drop();
    await expect(new PostgresCheckpoints(gone.pool).load('r')).rejects.toMatchObject({
      code: 'service_unavailable',
      retryable: true,
    });
  });
});
