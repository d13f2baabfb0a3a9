/** Insert or find: the second to open a job reads the answer of the first. One that was given up is wanted again. */
export const OPEN = `
INSERT INTO transcript_assembler.summary_jobs AS jobs (tenant_id, job_id, run_id, job, created_at, node_id)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (tenant_id, job_id) DO UPDATE
SET job = coalesce(jobs.job, CASE WHEN jobs.result IS NULL THEN excluded.job END)
RETURNING result`;

/** The one before is given up: nobody works on it any more who has not begun. */
export const OPEN_AHEAD = `
WITH given_up AS (
  UPDATE transcript_assembler.summary_jobs SET ahead = false, job = NULL
  WHERE tenant_id = $1 AND run_id = $3 AND ahead AND job_id <> $2
)
INSERT INTO transcript_assembler.summary_jobs AS jobs (tenant_id, job_id, run_id, job, created_at, node_id, ahead)
VALUES ($1, $2, $3, $4, $5, $6, true)
ON CONFLICT (tenant_id, job_id) DO UPDATE SET job = excluded.job, ahead = true
RETURNING result`;

export const AHEAD = `
SELECT job, result FROM transcript_assembler.summary_jobs
WHERE tenant_id = $1 AND run_id = $2 AND ahead AND job IS NOT NULL ORDER BY created_at DESC LIMIT 1`;

/** The row's lock makes one of two claimants the second, who sees the lease of the first. */
export const CLAIM = `
WITH claimed AS (
  UPDATE transcript_assembler.summary_jobs SET claimant = $3, lease_until = $4
  WHERE tenant_id = $1 AND job_id = $2 AND result IS NULL AND job IS NOT NULL
    AND (lease_until IS NULL OR lease_until <= $5 OR claimant = $3)
  RETURNING 'work' AS verdict
)
SELECT verdict FROM claimed
UNION ALL
SELECT CASE WHEN result IS NULL AND job IS NOT NULL THEN 'taken' ELSE 'done' END
FROM transcript_assembler.summary_jobs
WHERE tenant_id = $1 AND job_id = $2 AND NOT EXISTS (SELECT FROM claimed)`;

/** The first answer stands: a later one changes nothing but the bill, and reads it. */
export const COMPLETE = `
UPDATE transcript_assembler.summary_jobs
SET result = coalesce(result, $3), done_at = coalesce(done_at, $4), billed = billed || $5::jsonb,
  job = CASE WHEN ahead THEN job END, claimant = NULL, lease_until = NULL
WHERE tenant_id = $1 AND job_id = $2
RETURNING result`;

export const ROW = `
SELECT result, run_id, node_id, billed FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND job_id = $2`;

export const PENDING = `
SELECT job FROM transcript_assembler.summary_jobs
WHERE result IS NULL AND job IS NOT NULL ORDER BY created_at LIMIT $1`;

export const LAPSED = `
WITH lapsed AS (
  SELECT tenant_id, job_id FROM transcript_assembler.summary_jobs
  WHERE result IS NULL AND job IS NOT NULL AND lease_until <= $2 AND lapses < $3
  ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED
)
UPDATE transcript_assembler.summary_jobs AS jobs
SET claimant = NULL, lease_until = NULL, lapses = lapses + 1
FROM lapsed WHERE jobs.tenant_id = lapsed.tenant_id AND jobs.job_id = lapsed.job_id
RETURNING job, lapses`;

export const COUNT = `
SELECT count(*)::integer AS jobs FROM transcript_assembler.summary_jobs WHERE tenant_id = $1 AND run_id = $2`;
