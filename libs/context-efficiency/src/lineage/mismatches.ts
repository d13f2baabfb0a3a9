import { factOf, isTruthy, type Facts } from '../json/facts.js';
import type { LineageRecord } from './lineage-record.js';

type Compared = readonly [code: string, field: keyof LineageRecord];

/** What must be the same, in the order in which differences are told (contract §5.3). */
const COMPARED = [
  ['PLATFORM_MISMATCH', 'platform'],
  ['WORKGROUP_MISMATCH', 'workgroup_id'],
  ['ROLE_MISMATCH', 'role'],
  ['PHASE_MISMATCH', 'phase'],
  ['FIX_LOOP_MISMATCH', 'fix_loop_id'],
  ['SPEC_MISMATCH', 'spec_hash'],
  ['SCOPE_MISMATCH', 'scope_hash'],
  ['CHECKPOINT_MISMATCH', 'checkpoint_sha'],
  ['MODEL_MISMATCH', 'model'],
  ['EFFORT_MISMATCH', 'effort'],
  ['RUNTIME_PREFIX_MISMATCH', 'runtime_prefix_hash'],
  ['BASELINE_MISMATCH', 'baseline_hash'],
  ['TOOLS_MISMATCH', 'tools_hash'],
  ['PERMISSIONS_MISMATCH', 'permissions_hash'],
  ['SENSITIVITY_MISMATCH', 'sensitivity'],
] as const satisfies readonly Compared[];

export type Mismatch = (typeof COMPARED)[number][0] | 'REVIEW_LINEAGE_CONTAMINATION' | 'NON_RESUMABLE';

/** Keys of the current facts that have to be there, null or not (contract §5.2). */
export const CURRENT_KEYS: readonly (keyof LineageRecord)[] = [
  ...COMPARED.map(([, field]) => field),
  'capsule_hash',
];

/** Everything that forbids to reuse a lineage now: identical type and value, exact case. */
export function mismatches(record: LineageRecord, current: Facts): readonly Mismatch[] {
  const contaminated = isTruthy(current, 'independent_reviewer') && record.role === 'builder';
  const differing = COMPARED.filter(([, field]) => record[field] !== factOf(current, field));
  return [
    ...(contaminated ? (['REVIEW_LINEAGE_CONTAMINATION'] as const) : []),
    ...differing.map(([code]) => code),
    ...(record.resumable ? [] : (['NON_RESUMABLE'] as const)),
  ];
}
