import { CAPSULE_OPERATIONS } from './capsule-operations.js';
import { CONTEXT_OPERATIONS } from './context-operations.js';
import { DELEGATION_OPERATIONS } from './delegation-operations.js';
import { LINEAGE_OPERATIONS } from './lineage-operations.js';
import { ROLLOUT_OPERATIONS } from './rollout-operations.js';
import { TELEMETRY_OPERATIONS } from './telemetry-operations.js';
import { WORKGROUP_OPERATIONS } from './workgroup-operations.js';

/** How agents hand work to each other, and how that is measured, for the list of all. */
export const REGISTRY_OPERATIONS = {
  ...WORKGROUP_OPERATIONS,
  ...LINEAGE_OPERATIONS,
  ...DELEGATION_OPERATIONS,
  ...CAPSULE_OPERATIONS,
  ...CONTEXT_OPERATIONS,
  ...TELEMETRY_OPERATIONS,
  ...ROLLOUT_OPERATIONS,
} as const;
