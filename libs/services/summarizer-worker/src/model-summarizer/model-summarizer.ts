import {
  isModelError,
  ModelAbortedError,
  type CountTokens,
  type Logger,
  type Model,
  type ModelAnswer,
  type ModelUsage,
  type Summarizer,
  type SummaryMade,
  type SummaryRequest,
} from '@palimpsest/kernel';
import { proseSummary } from '@palimpsest/transcript';
import { isSmaller } from '../domain/is-smaller.js';
import { judgeProse } from '../domain/judge-prose.js';
import { promptRecords } from '../domain/prompt-records.js';
import { proseRoom, type ProseRoom } from '../domain/prose-room.js';
import { roughMeasure } from '../domain/rough-measure.js';
import { SUMMARY_SYSTEM, summaryMessage } from '../domain/summary-prompt.js';
import { invocationsOf } from './invocations.js';
import { guardedAsk, isSpared, type BreakerOptions, type GuardedAsk } from './model-breaker.js';

export type ModelSummarizerOptions = {
  readonly model: Model;
  /** The first stage, whose facts follow the model's prose, and the answer where the model's is of no use. */
  readonly fallback: Summarizer;
  readonly count: CountTokens;
  readonly logger: Logger;
  /** Longest wait for one answer of the provider. Default 120 000. */
  readonly timeoutMs?: number;
  /** Most tokens (`o200k_base`) of a request, below the model's own limit. Default 24 000. */
  readonly inputTokens?: number;
  readonly breaker?: BreakerOptions;
};

/** One making of one summary. */
export type SummaryCall = {
  /** Names the call of the model (host specification §8.2): at most 124 characters, used for no other making. */
  readonly invocation: string;
  /** Ends the call at once, with `ModelAbortedError`. */
  readonly signal?: AbortSignal;
};

const DEFAULTS = { timeoutMs: 120_000, inputTokens: 24_000 };

/** What of the input is not records: what is asked for, and the provider's own framing. */
const ASK_TOKENS = 128;

type Asked = {
  readonly request: SummaryRequest;
  readonly call: SummaryCall;
  readonly first: SummaryMade;
  readonly room: ProseRoom;
};

/**
 * Summaries that a model writes: its prose, and behind it the facts of the extractive summarizer, as many as the cap allows.
 * Where its answer is of no use, or there is none, the extractive summary stands; what was billed is told in any case.
 * The calls share one circuit breaker.
 */
export function modelSummarizers(options: ModelSummarizerOptions): (call: SummaryCall) => Summarizer {
  const ask = guardedAsk(options.model, options.breaker);
  return (call) => ({
    async summarize(request) {
      const first = await options.fallback.summarize(request);
      const room = proseRoom(request, options.count);
      if (!room || request.messages.length + request.absorbed.length === 0) return first;
      return new ModelStage(options, ask).summarize({ request, call, first, room });
    },
  });
}

class ModelStage {
  private readonly count: CountTokens;

  constructor(
    private readonly options: ModelSummarizerOptions,
    private readonly ask: GuardedAsk,
  ) {
    this.count = options.count;
  }

  async summarize(asked: Asked): Promise<SummaryMade> {
    const records = promptRecords(asked.request, {
      tokens: this.recordTokens(),
      measure: roughMeasure(this.count),
    });
    if (records.length === 0) return asked.first;
    try {
      const answer = await this.ask({
        system: SUMMARY_SYSTEM,
        messages: [summaryMessage(records, asked.room.words)],
        answer: { kind: 'text' },
        maxOutputTokens: asked.room.maxOutputTokens,
        timeoutMs: this.options.timeoutMs ?? DEFAULTS.timeoutMs,
        invocationId: asked.call.invocation,
        ...(asked.call.signal && { signal: asked.call.signal }),
      });
      return this.judged(asked, answer);
    } catch (error) {
      return this.without(asked, error);
    }
  }

  private recordTokens(): number {
    const { inputTokens = DEFAULTS.inputTokens } = this.options;
    return inputTokens - this.count(SUMMARY_SYSTEM, 'o200k_base') - ASK_TOKENS;
  }

  private judged(asked: Asked, answer: ModelAnswer): SummaryMade {
    const verdict = judgeProse(answer);
    if (verdict.kind === 'fault') return this.fallBack(asked, verdict.fault, answer.usages);
    const { request, first, room } = asked;
    if (this.count(verdict.text, request.tokenCounter) > room.most)
      return this.fallBack(asked, 'too-long', answer.usages);
    const facts = first.summary?.facts ?? [];
    const summary = proseSummary({ prose: verdict.text, facts }, request, this.count);
    if (!summary) return this.fallBack(asked, 'too-long', answer.usages);
    if (!isSmaller(summary.text, request, this.count))
      return this.fallBack(asked, 'not-smaller', answer.usages);
    return { summary, by: 'model', invocations: this.billed(asked, answer.usages) };
  }

  /** What may pass has been waited for by the model already: no summary waits longer. */
  private without(asked: Asked, error: unknown): SummaryMade {
    if (isSpared(error)) return this.fallBack(asked, 'spared', []);
    if (!isModelError(error) || error instanceof ModelAbortedError) throw error;
    return this.fallBack(asked, error.reason, error.usages);
  }

  private fallBack(asked: Asked, reason: string, usages: readonly ModelUsage[]): SummaryMade {
    const { first, call } = asked;
    this.options.logger.warn(
      { invocationId: call.invocation, reason },
      'The model gave no summary; facts stand alone',
    );
    return { ...first, invocations: [...first.invocations, ...this.billed(asked, usages)] };
  }

  private billed({ call }: Asked, usages: readonly ModelUsage[]): SummaryMade['invocations'] {
    const invocations = invocationsOf(call.invocation, usages);
    const unreported = usages.length - invocations.length;
    if (unreported > 0) {
      const fields = { invocationId: call.invocation, unreported };
      this.options.logger.warn(fields, 'The provider did not say what it billed');
    }
    return invocations;
  }
}
