import { makeCapsule } from '../capsule/make-capsule.js';
import { decideDispatch } from '../dispatch/decide-dispatch.js';
import { factOf, type Facts } from '../json/facts.js';
import { evaluateLineage } from '../lineage/evaluate-lineage.js';
import type { OpenWorkspace } from '../paths/workspace.js';
import { evaluatePromotion } from '../promotion/evaluate-promotion.js';
import { decideResult } from '../result-policy/decide-result.js';
import { selectRollout } from '../rollout/select-rollout.js';
import { decideRoute } from '../route/decide-route.js';
import { recordEvent } from '../telemetry/record-event.js';
import { decideDelta } from '../vault-delta/decide-delta.js';

/** What is not in a request: the only inputs from the outside (contract §1). */
export type Surroundings = {
  /** Milliseconds of Unix time, where a request leaves its time absent. */
  readonly clock: number;
  readonly workspace: OpenWorkspace;
  /** The JSON text of keys that measurements may be signed with (contract §12.5). */
  readonly trustedKeys: string | undefined;
};

type Operation = (request: Facts, surroundings: Surroundings) => unknown;

/** The operations by their words, spelled exactly (contract §1, §3), and the evaluator (§12). */
const OPERATIONS = new Map<string, Operation>([
  ['route', (request, { workspace }) => decideRoute(factOf(request, 'input'), { workspace })],
  ['lineage', (request, { clock }) => evaluateLineage(request, clock)],
  ['capsule', makeCapsule],
  ['telemetry', recordEvent],
  ['rollout', (request) => selectRollout(factOf(request, 'input'))],
  ['result-policy', (request) => decideResult(factOf(request, 'input'))],
  ['vault-delta', (request) => decideDelta(factOf(request, 'input'))],
  ['dispatch', decideDispatch],
  ['promotion', evaluatePromotion],
]);

export const OPERATION_NAMES: readonly string[] = [...OPERATIONS.keys()];

export function operationNamed(name: string): Operation | undefined {
  return OPERATIONS.get(name);
}
