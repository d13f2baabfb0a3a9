import { generateText } from 'ai';
import type { ModelUsage } from '@palimpsest/kernel';
import type { CallSettings } from '../model-options.js';
import type { WireProvider } from '../provider/wire-provider.js';
import { classifyFailure, mayBeBilled, type CallFailure } from './classify-failure.js';
import { sdkRequest, type CallDraft } from './sdk-request.js';

export type RequestOutcome =
  | {
      readonly kind: 'answered';
      readonly text: string;
      readonly finish: 'stop' | 'length';
      readonly usage: ModelUsage;
    }
  | { readonly kind: 'declined'; readonly category: string | undefined; readonly usage: ModelUsage }
  /** `usage`: the provider may have billed what could not be read. */
  | { readonly kind: 'failed'; readonly failure: CallFailure; readonly usage?: ModelUsage }
  | { readonly kind: 'aborted' };

/** One request, which ends with an answer, a failure, its time, or the caller's patience. */
export async function oneRequest(
  wire: WireProvider,
  draft: CallDraft,
  { timeoutMs, settings }: { readonly timeoutMs: number; readonly settings: CallSettings },
): Promise<RequestOutcome> {
  const { signal } = draft.request;
  const attempt = new AbortController();
  const giveUp = () => attempt.abort();
  signal?.addEventListener('abort', giveUp);
  const stopTimer = settings.startTimer(timeoutMs, giveUp);
  try {
    if (signal?.aborted) return { kind: 'aborted' };
    const given = await generateText({ ...sdkRequest(wire, draft), abortSignal: attempt.signal });
    return outcomeOf(wire, given);
  } catch (error) {
    if (signal?.aborted) return { kind: 'aborted' };
    if (attempt.signal.aborted)
      return { kind: 'failed', failure: { kind: 'unavailable', outage: 'timeout' } };
    return failed(wire, classifyFailure(error, settings.clock.now()));
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', giveUp);
  }
}

type Given = Awaited<ReturnType<typeof generateText>>;

function outcomeOf(wire: WireProvider, given: Given): RequestOutcome {
  const usage: ModelUsage = { ...nameOf(wire), ...wire.usageNumbers(given.usage) };
  if (given.finishReason === 'content-filter')
    return { kind: 'declined', category: wire.refusalCategory(given), usage };
  const finish = given.finishReason === 'length' ? 'length' : 'stop';
  return { kind: 'answered', text: given.text, finish, usage };
}

function failed(wire: WireProvider, failure: CallFailure): RequestOutcome {
  return { kind: 'failed', failure, ...(mayBeBilled(failure) && { usage: nameOf(wire) }) };
}

export function nameOf(wire: WireProvider): { readonly provider: string; readonly model: string } {
  return { provider: wire.provider, model: wire.modelName };
}
