import { createTestDatabase, type TestDatabase } from '../testing/test-database.js';
import type { Migration } from './migration-set.js';
import { runMigrations } from './run-migrations.js';

const first: Migration = {
  name: '0001-notes',
  sql: 'CREATE TABLE shelf.notes (id int); CREATE INDEX ON shelf.notes (id)',
};
const second: Migration = {
  name: '0002-first-note',
  up: async (transaction) => {
    await transaction.query('INSERT INTO shelf.notes VALUES ($1)', [1]);
  },
};

const shelf = (...migrations: Migration[]) => [{ schema: 'shelf', migrations }];

describe('runMigrations', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase([]);
  });
  afterEach(() => database.drop());

  const notes = async () => (await database.pool.query<{ id: number }>('SELECT id FROM shelf.notes')).rows;

  it('applies what is missing, in order, once', async () => {
    expect(await runMigrations(database.pool, shelf(first))).toEqual([
      { schema: 'shelf', name: '0001-notes' },
    ]);
    expect(await runMigrations(database.pool, shelf(first, second))).toEqual([
      { schema: 'shelf', name: '0002-first-note' },
    ]);
    expect(await runMigrations(database.pool, shelf(first, second))).toEqual([]);
    expect(await notes()).toEqual([{ id: 1 }]);
  });

  it('applies each migration once when several runners start together', async () => {
    const runs = await Promise.all(
      Array.from({ length: 5 }, () => runMigrations(database.pool, shelf(first, second))),
    );
    // Any runner may have applied either.
    expect(
      runs
        .flat()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['0001-notes', '0002-first-note']);
    expect(await notes()).toEqual([{ id: 1 }]);
  });

  it('leaves nothing of a migration that fails, and keeps those before it', async () => {
    const broken: Migration = {
      name: '0002-broken',
      sql: 'INSERT INTO shelf.notes VALUES (7); SELECT 1 / 0',
    };
    await expect(runMigrations(database.pool, shelf(first, broken))).rejects.toThrow('division by zero');
    expect(await notes()).toEqual([]);
    expect(await runMigrations(database.pool, shelf(first, second))).toHaveLength(1);
  });

  it.each([
    ['a changed migration', [{ ...first, sql: 'CREATE TABLE shelf.notes (id bigint)' }], '0001-notes'],
    ['a renamed migration', [{ ...first, name: '0001-other' }], '0001-notes'],
    ['a migration put before an applied one', [second, first], '0001-notes'],
    ['a database that is newer', [], '0001-notes'],
  ])('refuses %s', async (_, migrations, migration) => {
    await runMigrations(database.pool, shelf(first));
    await expect(runMigrations(database.pool, shelf(...migrations))).rejects.toMatchObject({
      name: 'MigrationError',
      schema: 'shelf',
      migration,
    });
  });

  it('does not mind line ends', async () => {
    const lines = { name: '0001-lines', sql: 'CREATE TABLE shelf.notes\n(id int)' };
    await runMigrations(database.pool, shelf(lines));
    expect(
      await runMigrations(database.pool, shelf({ ...lines, sql: lines.sql.replace('\n', '\r\n') })),
    ).toEqual([]);
  });
});
