import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { MockAnswer, ProgramMock } from '@palimpsest/contracts';
import type { Pool, QueryResultRow } from 'pg';
import type { MockProgramStore } from '../mock-provider/mock-program-store.js';

/** One row per program, so that replacing it is one statement. */
const PROGRAM = `INSERT INTO orchestrator.mock_programs (tenant_id, node_id, answers) VALUES ($1, $2, $3)
  ON CONFLICT (tenant_id, node_id) DO UPDATE SET answers = excluded.answers, taken_by = '{}'`;

/** The row's lock puts those that take at once in an order; who comes again adds nothing. */
const TAKE = `UPDATE orchestrator.mock_programs
  SET taken_by = CASE WHEN $3 = ANY (taken_by) THEN taken_by ELSE taken_by || $3::text END
  WHERE tenant_id = $1 AND node_id = $2
    AND ($3 = ANY (taken_by) OR cardinality(taken_by) < jsonb_array_length(answers))
  RETURNING answers -> (array_position(taken_by, $3::text) - 1) AS answer`;

export class PostgresMockProgramStore implements MockProgramStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async program({ tenantId, nodeId, program }: ProgramMock): Promise<void> {
    await this.#rows(PROGRAM, [tenantId, nodeId, JSON.stringify(program)]);
  }

  async take({
    tenantId,
    nodeId,
    invocationId,
  }: Parameters<MockProgramStore['take']>[0]): Promise<MockAnswer | undefined> {
    const values = [tenantId, nodeId, invocationId];
    return (await this.#rows<{ readonly answer: MockAnswer }>(TAKE, values))[0]?.answer;
  }

  async #rows<Row extends QueryResultRow>(sql: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return (await withDatabaseErrors(() => this.#pool.query<Row>(sql, [...values]))).rows;
  }
}
