import { withDatabaseErrors } from '@palimpsest/adapter-postgres';
import type { WorkflowVersion } from '@palimpsest/contracts';
import type { Pool, QueryResult, QueryResultRow } from 'pg';
import { HOST, type DefinitionEntry, type DefinitionStore } from '../definitions/definition-store.js';

/** Where the version is in force already, no row is written and none is locked. */
const PUT = `WITH news AS (
    SELECT $1::text AS tenant_id, $2::text AS workflow_id, $3::text AS digest, $4::boolean AS fixture
    EXCEPT SELECT tenant_id, workflow_id, digest, fixture FROM orchestrator.workflows
    WHERE tenant_id = $1 AND workflow_id = $2
  ), version AS (
    INSERT INTO orchestrator.workflow_versions (digest, definition, created_at)
    SELECT digest, $5::jsonb, $6::timestamptz FROM news ON CONFLICT DO NOTHING
  )
  INSERT INTO orchestrator.workflows (tenant_id, workflow_id, digest, fixture, updated_at)
  SELECT tenant_id, workflow_id, digest, fixture, $6::timestamptz FROM news
  ON CONFLICT (tenant_id, workflow_id) DO UPDATE
  SET digest = excluded.digest, fixture = excluded.fixture, updated_at = excluded.updated_at`;

const VERSION = 'SELECT digest, definition FROM orchestrator.workflow_versions WHERE digest = $1';

const IN_FORCE = `SELECT digest, definition FROM orchestrator.workflows
  JOIN orchestrator.workflow_versions USING (digest)
  WHERE workflow_id = $2 AND tenant_id IN ($1, '${HOST}') ORDER BY tenant_id DESC LIMIT 1`;

const FIXTURES = `SELECT workflow_id AS id FROM orchestrator.workflows
  WHERE tenant_id = '${HOST}' AND fixture ORDER BY workflow_id COLLATE "C"`;

const RETAIN_FIXTURES = `DELETE FROM orchestrator.workflows
  WHERE tenant_id = '${HOST}' AND fixture AND NOT workflow_id = ANY ($1)`;

const FORGET = `WITH gone AS (
    DELETE FROM orchestrator.workflows WHERE tenant_id = $1 RETURNING workflow_id
  ) SELECT workflow_id AS id FROM gone ORDER BY workflow_id COLLATE "C"`;

type IdRow = { readonly id: string };

export class PostgresDefinitionStore implements DefinitionStore {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  async put({ definition, digest, owner, fixture }: DefinitionEntry, at: Date): Promise<boolean> {
    const values = [owner, definition.id, digest, fixture, JSON.stringify(definition), at];
    return (await this.#query(PUT, values)).rowCount === 1;
  }

  async version(digest: string): Promise<WorkflowVersion | undefined> {
    return (await this.#query<WorkflowVersion>(VERSION, [digest])).rows[0];
  }

  async inForce(tenantId: string, workflowId: string): Promise<WorkflowVersion | undefined> {
    return (await this.#query<WorkflowVersion>(IN_FORCE, [tenantId, workflowId])).rows[0];
  }

  async fixtures(): Promise<readonly string[]> {
    return (await this.#query<IdRow>(FIXTURES, [])).rows.map(({ id }) => id);
  }

  async retainFixtures(workflowIds: readonly string[]): Promise<void> {
    await this.#query(RETAIN_FIXTURES, [workflowIds]);
  }

  async forget(tenantId: string): Promise<readonly string[]> {
    return (await this.#query<IdRow>(FORGET, [tenantId])).rows.map(({ id }) => id);
  }

  #query<Row extends QueryResultRow>(sql: string, values: readonly unknown[]): Promise<QueryResult<Row>> {
    return withDatabaseErrors(() => this.#pool.query<Row>(sql, [...values]));
  }
}
