import type { Pool } from 'pg';
import { CONTEXT_REFERENCES, CONTEXT_SUMMARIZED, WINDOW_PLANNED } from '@palimpsest/contracts';
import type { ContextReferences, ContextReferencesRequest } from '@palimpsest/kernel';

/** Largest value of the column. */
const LAST_SEQUENCE = 2_147_483_647;

/**
 * $1 tenant, $2 run, $3 from, $4 to. Windows of a steady run name the same few summaries and cuts again and again, so
 * their thousands of rows are read where they lie and only what is distinct is sent.
 */
export const CONTEXT_REFERENCES_SQL = `
WITH stretches AS (
  SELECT $2::text AS source_run_id, 0 AS first_sequence, ${LAST_SEQUENCE} AS last_sequence
  UNION ALL
  SELECT source_run_id, first_sequence, last_sequence FROM run_log.segments
  WHERE tenant_id = $1 AND run_id = $2 AND first_sequence <= LEAST(last_sequence, $4::int) AND last_sequence >= $3::int
),
candidates AS (
  SELECT found.*
  FROM stretches s CROSS JOIN (VALUES ('${CONTEXT_SUMMARIZED}'), ('${WINDOW_PLANNED}')) AS wanted(type)
  CROSS JOIN LATERAL (
    SELECT e.sequence, e.payload->>'summaryRef' AS summary, NULLIF(e.payload->'cuts', '[]') AS cuts,
      NULLIF(e.payload->'summarySequences', '[]') AS fed
    FROM run_log.events e
    WHERE e.tenant_id = $1 AND e.run_id = s.source_run_id
      AND (e.type, e.sequence) >= (wanted.type, GREATEST(s.first_sequence, $3::int))
      AND (e.type, e.sequence) <= (wanted.type, LEAST(s.last_sequence, $4::int))
    ORDER BY e.type, e.sequence LIMIT ${CONTEXT_REFERENCES} + 1
  ) AS found
  ORDER BY found.sequence LIMIT ${CONTEXT_REFERENCES} + 1
),
weighed AS (
  SELECT c.*, 1 + COALESCE(jsonb_array_length(c.cuts), 0) + COALESCE(jsonb_array_length(c.fed), 0) AS weight
  FROM candidates c
),
measured AS MATERIALIZED (
  SELECT w.*, sum(w.weight) OVER (ORDER BY w.sequence ROWS UNBOUNDED PRECEDING) AS reached FROM weighed w
),
page AS NOT MATERIALIZED (
  SELECT * FROM measured WHERE reached <= GREATEST(weight, ${CONTEXT_REFERENCES})
)
SELECT
  ARRAY(SELECT DISTINCT summary FROM page WHERE summary IS NOT NULL) AS summaries,
  ARRAY(SELECT DISTINCT cut->>'artifactId' FROM page CROSS JOIN jsonb_array_elements(cuts) AS cut
    WHERE cuts IS NOT NULL) AS renderings,
  ARRAY(SELECT DISTINCT earlier::int FROM page CROSS JOIN jsonb_array_elements_text(fed) AS earlier
    WHERE fed IS NOT NULL AND earlier::int < $3::int) AS "earlierSummaries",
  (SELECT min(sequence) FROM measured WHERE reached > GREATEST(weight, ${CONTEXT_REFERENCES})) AS next`;

type Found = Omit<ContextReferences, 'next'> & { readonly next: number | null };

export async function contextReferences(
  pool: Pool,
  { tenantId, runId, fromSequence, toSequence }: ContextReferencesRequest,
): Promise<ContextReferences> {
  const { rows } = await pool.query<Found>({
    name: 'run_log.context_references',
    text: CONTEXT_REFERENCES_SQL,
    values: [tenantId, runId, fromSequence, toSequence],
  });
  const { next = null, ...found } = rows[0] ?? { summaries: [], renderings: [], earlierSummaries: [] };
  return next === null ? found : { ...found, next };
}
