import type { Pool } from 'pg';
import type { Observed } from './telemetry-store.js';

type ObservedRow = {
  readonly mode: string | null;
  readonly events: number;
  readonly billed: number;
  readonly currency: string | null;
  readonly amount: number | null;
  readonly tokens: number | null;
  readonly reads_known: number;
  readonly reads: number | null;
  readonly elapsed_known: number;
  readonly elapsed: number | null;
};

/**
 * `observedIn` of the domain, where the rows are. A sum with an unknown part is unknown. A decision gives its mode to events
 * from before it and to those that are counted after the bound, so it is looked for without one.
 *
 * $1 tenant, $2 environment, $3 the earliest time.
 */
const OBSERVED = `
WITH counted AS (
  SELECT event, event->>'mode' AS own_mode, event->>'task_corpus_id' AS corpus
  FROM lineage_registry.telemetry
  WHERE tenant_id = $1 AND environment = $2 AND NOT recommendation
    AND recorded_at >= COALESCE($3::timestamptz, '-infinity')
),
decided AS (
  SELECT corpora.corpus, newest.mode
  FROM (SELECT DISTINCT corpus FROM counted WHERE own_mode IS NULL AND corpus IS NOT NULL) AS corpora
  CROSS JOIN LATERAL (
    SELECT d.event->>'mode' AS mode FROM lineage_registry.telemetry AS d
    WHERE d.tenant_id = $1 AND d.environment = $2 AND d.event->>'task_corpus_id' = corpora.corpus
      AND d.event->>'event' = 'dispatch_decision' AND NOT d.recommendation
    ORDER BY d.position DESC LIMIT 1
  ) AS newest
),
figures AS (
  SELECT COALESCE(own_mode, decided.mode) AS mode,
    (event->'logical'->>'repeated_file_reads')::numeric AS reads,
    (event->'outcome'->>'elapsed_ms')::numeric AS elapsed,
    CASE WHEN vouched THEN (billed->>'amount')::numeric END AS amount,
    CASE WHEN vouched THEN billed->>'currency' END AS currency,
    CASE WHEN vouched THEN (billed->>'uncached_input_tokens')::numeric
      + (billed->>'cache_creation_input_tokens')::numeric
      + (billed->>'cache_read_input_tokens')::numeric
      + (billed->>'output_tokens')::numeric END AS tokens
  FROM counted LEFT JOIN decided USING (corpus)
  CROSS JOIN LATERAL (SELECT event->'billed' AS billed,
    event->'billed'->>'accounting_source' IN ('authoritative', 'provider-reported') AS vouched) AS source
),
summed AS (
  SELECT mode, count(*)::int AS events,
    count(*) FILTER (WHERE amount IS NOT NULL OR tokens IS NOT NULL)::int AS billed,
    CASE WHEN count(DISTINCT currency) FILTER (WHERE amount IS NOT NULL) = 1
      AND count(*) FILTER (WHERE amount IS NOT NULL AND currency IS NULL) = 0
      THEN min(currency) FILTER (WHERE amount IS NOT NULL) END AS currency,
    avg(amount)::float8 AS amount, avg(tokens)::float8 AS tokens,
    count(reads)::int AS reads_known, avg(reads)::float8 AS reads,
    count(elapsed)::int AS elapsed_known, avg(elapsed)::float8 AS elapsed
  FROM figures GROUP BY mode
)
SELECT * FROM summed ORDER BY mode COLLATE "C" NULLS LAST`;

export async function observeTelemetry(
  pool: Pool,
  place: { readonly tenantId: string; readonly environment: string; readonly since: string | null },
): Promise<readonly Observed[]> {
  const values = [place.tenantId, place.environment, place.since];
  const { rows } = await pool.query<ObservedRow>(OBSERVED, values);
  return rows.map((row) => ({
    mode: row.mode,
    events: row.events,
    billed: {
      known: row.billed,
      meanAmount: row.currency === null ? null : row.amount,
      currency: row.currency,
      meanTokens: row.tokens,
    },
    rediscovery: { known: row.reads_known, meanRepeatedFileReads: row.reads },
    latency: { known: row.elapsed_known, meanElapsedMs: row.elapsed },
  }));
}
