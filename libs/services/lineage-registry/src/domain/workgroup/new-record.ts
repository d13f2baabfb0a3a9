import {
  factOf,
  isLineageRecord,
  LINEAGE_SCHEMA,
  unfitLineageField,
  type Facts,
  type LineageRecord,
} from '@palimpsest/context-efficiency';
import { lineageIdSchema } from '@palimpsest/contracts/registry';
import { timeOf, type Moment } from './deciding.js';
import { DEFAULT_LEASE_MS } from './workgroup.js';
import { unfitting } from './workgroup.errors.js';

/** Every view and event has it: as a text, in UTF-16 code units. */
export const MOST_RECORD_LENGTH = 8192;

export type NewRecord = {
  readonly record: LineageRecord;
  /** Fields that the caller gave otherwise. */
  readonly differences: readonly string[];
};

type RecordRequest = Moment & {
  readonly leaseMs?: number | undefined;
  /** Of the unit that was delegated: what a caller may leave out. */
  readonly unit?: Facts;
  /** What the registry says of a child, and of a unit that was delegated. */
  readonly granted?: Partial<Pick<LineageRecord, 'parent_lineage_id' | 'mode'>>;
};

/**
 * The record as it is kept (contract §5.1): times, lease, workgroup and phase are the registry's, and no handle of a platform
 * stays. `ValidationError` where the rest does not make it one.
 */
export function newRecord(facts: Facts, request: RecordRequest): NewRecord {
  const { workgroup, now, leaseMs, unit, granted } = request;
  const fixed = {
    schema: LINEAGE_SCHEMA,
    workgroup_id: workgroup.workgroupId,
    platform_handle: null,
    phase: workgroup.phase,
    created_at: timeOf(now),
    last_used_at: timeOf(now),
    lease_expires_at: timeOf(now + (leaseMs ?? DEFAULT_LEASE_MS)),
    ...granted,
  };
  const record: Facts = { ...unit, ...facts, ...fixed };
  requireRecord(record);
  const given = Object.entries(fixed).filter(([field]) => Object.hasOwn(facts, field));
  const otherwise = given.filter(([field, value]) => factOf(facts, field) !== value);
  return { record, differences: otherwise.map(([field]) => field) };
}

/** The contract takes any text for an id, and texts of any length. A field that is no record's has a name of the caller's. */
function requireRecord(record: Facts): asserts record is LineageRecord {
  const field = unfitLineageField(record);
  if (field !== undefined) throw unfitting(`record.${field}`);
  if (!lineageIdSchema.safeParse(record['lineage_id']).success) throw unfitting('record.lineage_id');
  if (!isLineageRecord(record)) throw unfitting('record');
  if (JSON.stringify(record).length > MOST_RECORD_LENGTH) throw unfitting('record', 'too_big');
}
