import { instantOf, recordEvent, type EfficiencyEvent, type Facts } from '@palimpsest/context-efficiency';
import type { ContextSettings, ProviderUsage, WindowPlanned } from '@palimpsest/contracts';
import { corpusOf, modelNameOf, providerNameOf } from './public-names.js';

/** The event of a run's log that is told of. */
export type ToldEvent = {
  readonly tenantId: string;
  readonly runId: string;
  /** When it was recorded, as the log has it. */
  readonly timestamp: string;
};

export type FedWindow = Pick<WindowPlanned, 'tokenCount' | 'tokenCounter'>;

/**
 * One call of a model, from what its provider reported. What it did not report is null. `costEstimateUsd` is an estimate,
 * which nobody vouches for, and no bill: `amount` stays null (contract §7.4).
 */
export function workerUsage(told: ToldEvent, usage: ProviderUsage): EfficiencyEvent {
  const { cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  return eventOf('worker_usage', told, {
    provider: providerNameOf(usage.provider),
    model: modelNameOf(usage.model),
    billed: {
      uncached_input_tokens: uncachedOf(usage),
      cache_creation_input_tokens: cacheWriteTokens,
      cache_read_input_tokens: cacheReadTokens,
      output_tokens: outputTokens,
      accounting_source: 'provider-reported',
    },
  });
}

/** `inputTokens` are all of the input: without either of its cached parts, or with parts greater than it, the rest is unknown. */
function uncachedOf({ inputTokens, cacheReadTokens, cacheWriteTokens }: ProviderUsage): number | null {
  if (cacheReadTokens === undefined || cacheWriteTokens === undefined) return null;
  const rest = inputTokens - cacheReadTokens - cacheWriteTokens;
  return rest < 0 ? null : rest;
}

/** One compaction, and how full the window is that was planned with it. */
export function budgetTransition(
  told: ToldEvent,
  settings: ContextSettings | undefined,
  window: FedWindow | undefined,
): EfficiencyEvent {
  const occupancy = window && occupancyOf(window, settings);
  return eventOf('budget_transition', told, {
    logical: { estimated_context_occupancy: occupancy, compaction_count: 1 },
  });
}

export type RunEnd = {
  readonly settings: ContextSettings | undefined;
  /** The last that the run planned itself. */
  readonly window: FedWindow | undefined;
  /** For how long it worked, in milliseconds; null where that is not known. */
  readonly workedMs: number | null;
};

/**
 * The end of a run. Whether its work was accepted is not for its log to say, and its compactions were recorded one by
 * one: here they would count a second time.
 */
export function workerCompleted(told: ToldEvent, { window, settings, workedMs }: RunEnd): EfficiencyEvent {
  return eventOf('worker_completed', told, {
    logical: { estimated_context_occupancy: window && occupancyOf(window, settings) },
    outcome: { elapsed_ms: workedMs },
  });
}

/** Of the budget: 1 is full. Unknown where the two count in different units. */
function occupancyOf(
  { tokenCount, tokenCounter }: FedWindow,
  settings: ContextSettings | undefined,
): number | null {
  return settings?.tokenCounter === tokenCounter ? tokenCount / settings.transcriptTokenBudget : null;
}

/**
 * Milliseconds from one time of the log to another. Whoever appends says when: where two hosts' clocks differ by more than
 * there was between them, it is unknown.
 */
export function elapsedOf(since: string, until: string): number | null {
  const elapsed = (instantOf(until) ?? NaN) - (instantOf(since) ?? NaN);
  return elapsed >= 0 ? elapsed : null;
}

/** What is not given is unknown; who did the work is, but for calls of models. */
function eventOf(event: string, told: ToldEvent, facts: Facts): EfficiencyEvent {
  const about = { observed_at: told.timestamp, task_corpus_id: corpusOf(told) };
  return recordEvent({ event: { event, ...about, provider: 'other', runtime: 'api', ...facts } });
}
