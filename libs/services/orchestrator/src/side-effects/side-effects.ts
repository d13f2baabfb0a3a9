import type { RunError } from '@palimpsest/contracts';
import { requirePermit } from '@palimpsest/kernel';
import { LEASE_MS } from '../invocations/ask-once.js';
import { callError } from '../invocations/call-errors.js';
import type { InvocationPorts } from '../invocations/invocation-ports.js';
import type { KeptAnswer } from '../invocations/invocation-store.js';
import { logicalInvocationId } from '../invocations/logical-invocation-id.js';
import type { PerformsEffects, SideEffectCall, SideEffectOutcome } from '../orchestrator-ports.js';
import { ANSWER_KEPT, CALL_CLAIMED, EFFECT_PERFORMED } from '../race-points.js';
import type { SideEffectStore } from './side-effect-store.js';

/** As part of the invocation's id: no provider is called so. */
const NAME = { provider: 'conformance', model: 'side-effect' };
const PERFORMED: KeptAnswer = { kind: 'answered', value: { performed: true } };

type Ports = Pick<InvocationPorts, 'invocations' | 'clock' | 'races' | 'newOwner'>;

/**
 * Performs the effects of nodes `core.conformance.side-effect`, each claimed first like a call of a model (host specification
 * §8.2): what a crash leaves is performed under the same id again, and counts once.
 */
export class SideEffects implements PerformsEffects {
  constructor(
    private readonly ports: Ports,
    /** Absent where the test seams are off. */
    private readonly store: SideEffectStore | undefined,
  ) {}

  /** Undefined where somebody else performs it, or died over it: the run is to be looked at again later. */
  async perform(call: SideEffectCall): Promise<SideEffectOutcome | undefined> {
    const { run, nodeId, attempt } = call;
    requirePermit(call.permit, run, 'side-effect');
    if (!this.store) return failed(call, notServed());
    const answer = await this.performedOnce(call, this.store);
    if (!answer) return undefined;
    if (answer.kind === 'failed') return failed(call, answer.error);
    return { kind: 'performed', nodeId, attempt, outputs: answer.value };
  }

  private async performedOnce(
    { run: { tenantId, runId }, nodeId, attempt: ordinal }: SideEffectCall,
    store: SideEffectStore,
  ): Promise<KeptAnswer | undefined> {
    const { invocations, clock, races, newOwner } = this.ports;
    const providerKey = `${NAME.provider}:${NAME.model}`;
    const invocationId = logicalInvocationId({ tenantId, runId, nodeId, ordinal, providerKey });
    const key = { tenantId, runId, invocationId, owner: newOwner() };
    const now = clock.now();
    const until = new Date(now.getTime() + LEASE_MS);
    const claim = await invocations.claim({ ...key, nodeId, ordinal, name: NAME, now, until });
    if (claim.kind !== 'claimed') return claim.kind === 'answered' ? claim.answer : undefined;
    await races.reach(CALL_CLAIMED);
    await store.perform({ tenantId, runId, invocationId, nodeId });
    await races.reach(EFFECT_PERFORMED);
    const kept = await invocations.settle({ ...key, answer: PERFORMED, usages: [] });
    await races.reach(ANSWER_KEPT);
    return kept.answer;
  }
}

function failed({ nodeId, attempt }: SideEffectCall, error: RunError): SideEffectOutcome {
  return { kind: 'not-performed', nodeId, attempt, error };
}

function notServed(): RunError {
  return callError('capability_required', 'This host does not perform effects for conformance tests.');
}
