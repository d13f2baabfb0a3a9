import type { RunError } from '@palimpsest/contracts';
import {
  isModelError,
  isPalimpsestError,
  requirePermit,
  type AskedOfModel,
  type EffectPermit,
  type ModelError,
  type ModelName,
  type ModelUsage,
} from '@palimpsest/kernel';
import type { RunKey } from '../orchestrator-ports.js';
import { ANSWER_KEPT, CALL_CLAIMED, MODEL_ANSWERED, USAGE_RECORDED } from '../race-points.js';
import { knownError, modelCallError } from './call-errors.js';
import { callKey } from './call-key.js';
import { LOOK_MS, whileWanted } from './call-watch.js';
import { checkKeptKey } from './check-kept-key.js';
import type { InvocationKey, KeptAnswer } from './invocation-store.js';
import type { InvocationPorts } from './invocation-ports.js';
import { logicalInvocationId } from './logical-invocation-id.js';
import { recordUsages } from './record-usages.js';

/** How long a claim holds without being renewed: what a dead process leaves is taken over after that. */
export const LEASE_MS = 3 * LOOK_MS;

export type Question<Asked extends AskedOfModel = AskedOfModel> = {
  readonly run: RunKey;
  readonly permit: EffectPermit;
  readonly nodeId: string;
  readonly ordinal: number;
  readonly providerKey: string;
  readonly name: ModelName;
  /** When the answer is of no use any more. */
  readonly until?: Date | undefined;
  /** The request, as it is made now. It may fail as the call may. */
  readonly request: () => Promise<Asked>;
  readonly ask: (request: Asked, call: Asking) => Promise<Answered>;
};

/** `invocationId` is the idempotency key of the request. */
export type Asking = { readonly invocationId: string; readonly signal: AbortSignal };

export type Answered = { readonly answer: KeptAnswer; readonly usages: readonly ModelUsage[] };

/** `undefined`: nothing is known yet, and the run is to be looked at again later. */
export type Reply =
  | { readonly kind: 'kept'; readonly answer: KeptAnswer }
  | { readonly kind: 'outage'; readonly error: RunError };

/**
 * Makes an invocation, unless it was made before: then what was kept for its place in the run answers, whatever would be
 * asked now. What it cost is on the run's log when this resolves.
 * @throws ReplayEffectDeniedError without a permit of the run
 */
export async function askOnce<Asked extends AskedOfModel>(
  ports: InvocationPorts,
  question: Question<Asked>,
): Promise<Reply | undefined> {
  const { run, nodeId, ordinal, providerKey, name } = question;
  const { tenantId, runId } = run;
  requirePermit(question.permit, run, 'invocation');
  const invocationId = logicalInvocationId({ tenantId, runId, nodeId, ordinal, providerKey });
  const call = { tenantId, runId, invocationId, nodeId, owner: ports.newOwner() };
  const now = ports.clock.now();
  const claim = await ports.invocations.claim({ ...call, ordinal, name, now, until: leaseEnd(now) });
  if (claim.kind === 'taken') return undefined;
  if (claim.kind === 'answered') await checkKeptKey(ports, question, { ...call, kept: claim.cacheKey });
  const made = claim.kind === 'answered' ? claim : await make(ports, question, call);
  await recordUsages(ports, call, made.usages);
  await ports.races.reach(USAGE_RECORDED);
  if (made.answer) return { kind: 'kept', answer: made.answer };
  return 'outage' in made && made.outage ? { kind: 'outage', error: made.outage } : undefined;
}

type Claimed = InvocationKey & { readonly nodeId: string; readonly owner: string };
type Made = {
  readonly usages: readonly ModelUsage[];
  readonly answer?: KeptAnswer;
  readonly outage?: RunError;
};

async function make<Asked extends AskedOfModel>(
  ports: InvocationPorts,
  question: Question<Asked>,
  call: Claimed,
): Promise<Made> {
  const { tenantId, runId, invocationId, owner } = call;
  const key = { tenantId, runId, invocationId, owner };
  const renew = () => ports.invocations.renew({ ...key, until: leaseEnd(ports.clock.now()) });
  let cacheKey: string | undefined;
  const settle = (came: Omit<Made, 'outage'>) =>
    ports.invocations.settle({ ...key, ...came, ...(cacheKey !== undefined && { cacheKey }) });
  try {
    const { run, until } = question;
    const { answer, usages } = await whileWanted(ports, { run, until, renew }, async (signal) => {
      const request = await question.request();
      cacheKey = callKey(question.name, request);
      await ports.races.reach(CALL_CLAIMED);
      return question.ask(request, { invocationId, signal });
    });
    await ports.races.reach(MODEL_ANSWERED);
    const kept = await settle({ answer, usages });
    await ports.races.reach(ANSWER_KEPT);
    return kept;
  } catch (error) {
    // What is not known may be a death: the claim ends by itself.
    if (!isPalimpsestError(error)) throw error;
    const { answer, outage, usages } = failureOf(error);
    const kept = await settle({ usages, ...(answer && { answer }) });
    if (ports.stopping.aborted && !kept.answer) throw error;
    if (!kept.answer && !outage)
      ports.logger.warn({ ...named(call), code: error.code }, 'A model could not be asked yet');
    return { ...kept, ...(outage && { outage }) };
  }
}

/** What may pass is not kept: the same invocation is made again. */
function failureOf(error: ModelError | Parameters<typeof knownError>[0]): Made {
  const usages = isModelError(error) ? error.usages : [];
  if (isModelError(error) && error.reason === 'model_aborted') return { usages };
  const said = isModelError(error) ? modelCallError(error) : knownError(error);
  if (!error.retryable) return { usages, answer: { kind: 'failed', error: said } };
  return isModelError(error) ? { usages, outage: said } : { usages };
}

function leaseEnd(now: Date): Date {
  return new Date(now.getTime() + LEASE_MS);
}

function named({ tenantId, runId, nodeId, invocationId }: Claimed): object {
  return { tenantId, runId, nodeId, invocationId };
}
