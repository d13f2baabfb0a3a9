import pg from 'pg';
import { silentLogger, type Logger } from '@palimpsest/kernel';

export type PoolOptions = {
  /** Shown in `pg_stat_activity`. */
  readonly applicationName: string;
  /** Default 10. */
  readonly maxConnections?: number;
  /** A longer statement is cancelled. Default 15 000. */
  readonly statementTimeoutMs?: number;
  /** A transaction that idles longer is ended: it would hold back every reader of the log. Default 10 000. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Longest wait for a connection, new or free. Default 3 000. */
  readonly connectTimeoutMs?: number;
  readonly logger?: Logger;
};

/**
 * Every statement of this system looks rows up by index, so one plan fits all its parameters. A plan cached while
 * a table was small would scan it whole after it grew, until the next ANALYZE: sequential scans are priced out.
 * Planning again for each call would often cost more than the call, and JIT always.
 */
const PLANNER_SETTINGS = '-c enable_seqscan=off -c plan_cache_mode=force_generic_plan -c jit=off';

/** Answers a dead network: the server's own timeout cannot arrive there. */
const CLIENT_SIDE_GRACE_MS = 5000;

/** The pool of one process. `bigint` columns come as strings, never as numbers. Whoever makes it ends it. */
export function createPool(url: string, options: PoolOptions): pg.Pool {
  const statementTimeoutMs = options.statementTimeoutMs ?? 15_000;
  const pool = new pg.Pool({
    connectionString: url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 10,
    statement_timeout: statementTimeoutMs,
    query_timeout: statementTimeoutMs + CLIENT_SIDE_GRACE_MS,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 10_000,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 3000,
    keepAlive: true,
    options: PLANNER_SETTINGS,
  });
  surviveLostConnections(pool, options.logger ?? silentLogger);
  return pool;
}

/**
 * An `error` event without a listener ends the process. The pool reports idle clients; a client that is
 * checked out and between two queries has no listener unless it gets one here.
 */
function surviveLostConnections(pool: pg.Pool, logger: Logger): void {
  pool.on('error', (error: Error & { code?: string }) => {
    logger.warn({ code: error.code }, 'idle database connection lost');
  });
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
}
