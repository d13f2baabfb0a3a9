import type { Facts } from '../json/facts.js';
import { closedObject, nullOr, oneOf, text, unfitMember, type Check, type Shape } from '../schema/checks.js';
import { isDateTime } from '../vocabulary/date-time.js';
import { isDigest } from '../vocabulary/identifiers.js';
import {
  MODES,
  PHASES,
  SENSITIVITIES,
  type Mode,
  type Phase,
  type Sensitivity,
} from '../vocabulary/words.js';

export const LINEAGE_SCHEMA = 'knowzcode.agent-lineage/v1';

/** A reusable worker as it is recorded (contract §5.1). Times are strict date-times. */
export type LineageRecord = {
  readonly schema: typeof LINEAGE_SCHEMA;
  readonly lineage_id: string;
  readonly workgroup_id: string;
  readonly platform: 'claude' | 'codex' | 'other';
  readonly platform_handle: string | null;
  readonly parent_lineage_id: string | null;
  readonly role: string;
  readonly scope: string;
  readonly phase: Phase;
  readonly fix_loop_id: string | null;
  readonly mode: Mode;
  readonly model: string | null;
  readonly effort: string | null;
  readonly sensitivity: Sensitivity;
  readonly spec_hash: string;
  readonly scope_hash: string;
  readonly tools_hash: string;
  readonly permissions_hash: string;
  readonly runtime_prefix_hash: string;
  readonly baseline_hash: string | null;
  readonly capsule_hash: string | null;
  readonly checkpoint_sha: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly lease_expires_at: string | null;
  readonly resumable: boolean;
};

const filled = text(1);
const shortText = text(1, 128);

const SHAPE: Shape & Readonly<Record<keyof LineageRecord, Check>> = {
  schema: oneOf([LINEAGE_SCHEMA]),
  lineage_id: filled,
  workgroup_id: shortText,
  platform: oneOf(['claude', 'codex', 'other']),
  platform_handle: nullOr(filled),
  parent_lineage_id: nullOr(filled),
  role: filled,
  scope: filled,
  phase: oneOf(PHASES),
  fix_loop_id: nullOr(shortText),
  mode: oneOf(MODES),
  model: nullOr(filled),
  effort: nullOr(filled),
  sensitivity: oneOf(SENSITIVITIES),
  spec_hash: filled,
  scope_hash: filled,
  tools_hash: filled,
  permissions_hash: filled,
  runtime_prefix_hash: isDigest,
  baseline_hash: nullOr(isDigest),
  capsule_hash: nullOr(isDigest),
  checkpoint_sha: nullOr(text(7)),
  created_at: isDateTime,
  last_used_at: isDateTime,
  lease_expires_at: nullOr(isDateTime),
  resumable: oneOf([true, false]),
};

/** All there are. */
export const LINEAGE_FIELDS: readonly string[] = Object.keys(SHAPE);

const fits = closedObject(SHAPE);

/** The first field of a record (contract §5.1) that is missing, or is not what it has to be; undefined where none is. */
export function unfitLineageField(record: Facts): string | undefined {
  return unfitMember(SHAPE, record);
}

export function isLineageRecord(value: unknown): value is LineageRecord {
  return fits(value);
}
