import type { RunEvent } from '@palimpsest/client';

/** A turn of the loop: what it was fed, what that cost, what was decided. Tokens are the run's. */
export type LoopTurn = {
  readonly iteration: number;
  readonly windowTokens: number;
  readonly unboundedTokens: number;
  /** Recorded for this turn's window. */
  readonly newSummaries: number;
  readonly summaries: number;
  readonly decision: string;
  /** Of the provider, for this turn; shares of its own count. */
  readonly usage: LoopUsage;
};

export type LoopUsage = {
  readonly calls: number;
  readonly input: number;
  readonly output: number;
  /** Undefined where the provider does not report it. */
  readonly cacheRead?: number;
};

/** Why a run failed. `outage`: how its provider did not answer. */
export type LoopFailure = { readonly code: string; readonly outage?: string };

export const NO_USAGE: LoopUsage = { calls: 0, input: 0, output: 0 };

type Payload = Readonly<Record<string, unknown>>;

/** Follows a run's log, and tells each turn when it is decided. */
export class LoopProgress {
  readonly turns: LoopTurn[] = [];
  total: LoopUsage = NO_USAGE;
  failure: LoopFailure | undefined;
  #window: Payload = {};
  #newSummaries = 0;
  #summaries = 0;
  #usage: LoopUsage = NO_USAGE;

  /** The turn that the event completes. */
  see({ type, payload: any }: RunEvent): LoopTurn | undefined {
    const payload = any as Payload;
    switch (type) {
      case 'context.summarized':
        this.#newSummaries += 1;
        this.#summaries += 1;
        return undefined;
      case 'palimpsest.window.planned':
        this.#window = payload;
        return undefined;
      case 'provider.usage':
        this.#usage = plus(this.#usage, payload);
        this.total = plus(this.total, payload);
        return undefined;
      case 'runOrchestrator.decided':
        return this.#decided(payload);
      case 'run.failed':
        this.failure = failureOf(payload['error']);
        return undefined;
      default:
        return undefined;
    }
  }

  #decided({ iteration, decision }: Payload): LoopTurn {
    const turn: LoopTurn = {
      iteration: Number(iteration),
      windowTokens: Number(this.#window['tokenCount'] ?? 0),
      unboundedTokens: Number(this.#window['unboundedTokenCount'] ?? 0),
      newSummaries: this.#newSummaries,
      summaries: this.#summaries,
      decision: inWords(decision as Payload),
      usage: this.#usage,
    };
    this.turns.push(turn);
    this.#newSummaries = 0;
    this.#usage = NO_USAGE;
    return turn;
  }
}

function failureOf(error: unknown): LoopFailure {
  const { code, details } = (error ?? {}) as { readonly code?: unknown; readonly details?: Payload };
  const outage = details?.['outage'];
  return {
    code: typeof code === 'string' ? code : 'internal_error',
    ...(typeof outage === 'string' && { outage }),
  };
}

function inWords({ kind, nextWorkerIds }: Payload): string {
  return Array.isArray(nextWorkerIds) ? `${String(kind)} ${nextWorkerIds.join(', ')}` : String(kind);
}

function plus(sum: LoopUsage, { inputTokens, outputTokens, cacheReadTokens }: Payload): LoopUsage {
  return {
    calls: sum.calls + 1,
    input: sum.input + Number(inputTokens),
    output: sum.output + Number(outputTokens),
    ...(typeof cacheReadTokens === 'number'
      ? { cacheRead: (sum.cacheRead ?? 0) + cacheReadTokens }
      : sum.cacheRead !== undefined && { cacheRead: sum.cacheRead }),
  };
}
