import { factOf, isUnset, type Facts } from '../json/facts.js';
import { LINEAGE_FIELDS } from '../lineage/lineage-record.js';
import { CURRENT_KEYS } from '../lineage/mismatches.js';
import { RESULT_MODES } from '../result-policy/decide-result.js';
import { figure, flag, listOf, objectOf, oneOf, scalar, truth, type Kept } from './kept-value.js';

/**
 * What of open facts the contract knows, by its names at every level. Whoever passes facts on passes on these: what else a
 * caller puts beside them may be anything, and is looked at by nobody. Each decision is the same without it.
 */

const paths = { owned_files: listOf(scalar), resolved_owned_files: listOf(scalar) };
const writers = listOf(objectOf(paths));

const ROUTING: Readonly<Record<string, Kept>> = {
  is_writer: flag,
  role: scalar,
  ...paths,
  active_writers: writers,
  active_writer_scopes: writers,
  workspace_root: scalar,
  nesting_depth: figure,
  max_nesting_depth: figure,
  active_inherited_writers: figure,
  max_active_inherited: figure,
  trivial: truth,
  blocking: truth,
  coupling: oneOf(['tight']),
  independent_reviewer: flag,
  sensitivity: scalar,
  // `lineage_id` is the dispatch's (§11).
  lineage: objectOf({ lineage_id: scalar, compatible: flag, resumable: flag, role: scalar, ...paths }),
  inheritance: objectOf({
    affinity: oneOf(['high']),
    safe: flag,
    within_budget: flag,
    full_supported: truth,
    recent_supported: truth,
    recent_sufficient: truth,
  }),
  capsule_sufficient: flag,
  team: objectOf({
    coordination_required: flag,
    provider_supported: flag,
    safe: flag,
    sensitivity_approved: flag,
    within_budget: flag,
    peers: figure,
    latency_ratio: figure,
    scopes: listOf(objectOf({ is_writer: flag, ...paths })),
  }),
};

const CURRENT: Readonly<Record<string, Kept>> = {
  ...all(CURRENT_KEYS, scalar),
  independent_reviewer: truth,
  ...all(['final_gate', 'reconcile_required', 'scope_complete', 'likely_continuation'], flag),
};

const RESULT_POLICY: Readonly<Record<string, Kept>> = {
  ...all(
    [
      'write_prohibited',
      'material',
      'writer',
      'partial',
      'resumable',
      'crosses_phase',
      'large_raw_output',
      'authorize_handoff',
      'authorize_artifact',
      'authorize_vault_write',
      'authorize_settings_write',
      'authorize_workgroup_write',
    ],
    flag,
  ),
  requested_mode: oneOf(RESULT_MODES),
};

const routing = objectOf(ROUTING);
const current = objectOf(CURRENT);
const resultPolicy = objectOf(RESULT_POLICY);
const record = objectOf(all(LINEAGE_FIELDS, scalar));

/** Routing facts (§4.1), which may stand in an `input` of their own (§11). */
export function knownRouting(facts: Facts): Facts {
  return inInput(facts, routing);
}

/** Current facts (§5.2): those of its keys that are there. */
export function knownCurrent(facts: Facts): Facts {
  return current(facts) as Facts;
}

/** A lineage's record (§5.1), or a copy of one. */
export function knownRecord(facts: Facts): Facts {
  return record(facts) as Facts;
}

/** Facts of the result policy (§9). */
export function knownResultPolicy(facts: Facts): Facts {
  return resultPolicy(facts) as Facts;
}

/** The same in a dispatch, where they may stand in an `input` of their own. */
export function knownResultPart(facts: Facts): Facts {
  return inInput(facts, resultPolicy);
}

/** A record is a closed object, and none of its fields a list or an object: what holds more than that is none (§5.1). */
export function holdsOnlyRecord(facts: Facts): boolean {
  return Object.entries(facts).every(
    ([name, value]) => LINEAGE_FIELDS.includes(name) && (value === null || typeof value !== 'object'),
  );
}

function inInput(facts: Facts, known: Kept): Facts {
  const input = factOf(facts, 'input');
  if (isUnset(input)) return known(facts) as Facts;
  return { input: known(input) };
}

function all(names: readonly string[], keep: Kept): Readonly<Record<string, Kept>> {
  return Object.fromEntries(names.map((name) => [name, keep]));
}
