import { z } from 'zod';
import { variable } from './read-config.js';
import { trustedKeys } from './trusted-keys.js';
import { wholeNumber, type ValuesMeta } from './variable-kinds.js';

const described = (meta: ValuesMeta): ValuesMeta => meta;

/** Whose rollouts the efficiency of our own runs counts to, and what senders record who name none. */
export const environmentVariable = variable(
  'PALIMPSEST_ENVIRONMENT',
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/, 'takes letters, digits, ".", "_" and "-", at most 128')
    .meta(described({ values: 'letters, digits, `.`, `_` and `-`' }))
    .default('default'),
  'The environment that efficiency events are recorded for where none is named, and those of this host’s runs always.',
);

export const leaseSweepMs = variable(
  'PALIMPSEST_LEASE_SWEEP_MS',
  wholeNumber(100, 600_000).default(5000),
  'Milliseconds between two looks for leases that are over where nobody asks for their workgroup. A lease ends on time without it.',
);

/** Named by the context-efficiency contract (§12.5). */
export const trustedMeasurementKeys = variable(
  'KNOWZCODE_TRUSTED_MEASUREMENT_KEYS',
  trustedKeys.optional(),
  'Ed25519 public keys whose signed measurements a promotion believes. Without them no promotion passes.',
);
