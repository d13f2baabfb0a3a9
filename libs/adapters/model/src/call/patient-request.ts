import type { ModelUsage } from '@palimpsest/kernel';
import type { CallSettings } from '../model-options.js';
import type { WireProvider } from '../provider/wire-provider.js';
import { pauseMs } from './backoff.js';
import type { CallFailure } from './classify-failure.js';
import { nameOf, oneRequest, type RequestOutcome } from './one-request.js';
import type { CallDraft } from './sdk-request.js';

export type CallContext = {
  readonly wire: WireProvider;
  readonly settings: CallSettings;
  /** Milliseconds since 1970 at which the whole call ends. */
  readonly endsAt: number;
  /** Filled with what was billed, in order. */
  readonly usages: ModelUsage[];
};

/** One request, made again while what keeps it from an answer may pass, and in the bounds of attempts and time. */
export async function patientRequest(context: CallContext, draft: CallDraft): Promise<RequestOutcome> {
  const { wire, settings } = context;
  for (let attempt = 1; ; attempt += 1) {
    const timeoutMs = Math.min(draft.request.timeoutMs, leftMs(context));
    const outcome = await oneRequest(wire, draft, { timeoutMs, settings });
    if (outcome.kind !== 'aborted' && outcome.usage) context.usages.push(outcome.usage);
    if (outcome.kind !== 'failed') return outcome;
    const pause = pauseAfter(context, outcome.failure, attempt);
    if (pause === undefined) return outcome;
    tell(context, draft, { ...outcome.failure, attempt, pauseMs: pause });
    await settings.sleep(pause, draft.request.signal ?? new AbortController().signal);
  }
}

/** `undefined`: the failure stands. */
function pauseAfter(context: CallContext, failure: CallFailure, attempt: number): number | undefined {
  const { maxAttempts, random } = context.settings;
  if (failure.kind === 'refused' || attempt >= maxAttempts) return undefined;
  const pause = pauseMs({ attempt, random, retryAfterMs: failure.retryAfterMs });
  return pause !== undefined && pause < leftMs(context) ? pause : undefined;
}

function leftMs({ endsAt, settings }: CallContext): number {
  return Math.max(1, endsAt - settings.clock.now().getTime());
}

function tell({ wire, settings }: CallContext, { request }: CallDraft, fields: object): void {
  settings.logger.warn(
    { ...nameOf(wire), invocationId: request.invocationId, ...fields },
    'A model call is tried again',
  );
}
