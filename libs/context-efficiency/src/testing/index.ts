export { CAPSULE } from './capsules.js';
export { NOON } from './judged.js';
export { CURRENT, LINEAGE } from './lineages.js';
export { envelope, options, pairs, TRUSTED_KEYS, type Pair } from './measurements.js';
export { PRIVATE_LABELS, PRIVATE_VALUES } from './private-values.js';
