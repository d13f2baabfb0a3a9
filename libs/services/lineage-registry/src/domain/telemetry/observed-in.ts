import type { EfficiencyEvent, Facts } from '@palimpsest/context-efficiency';
import type { RolloutReport } from '@palimpsest/contracts/registry';

type Observed = RolloutReport['observed'][number];

const VOUCHED = ['authoritative', 'provider-reported'];
const TOKENS = [
  'uncached_input_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
  'output_tokens',
] as const;

/** How the work of a corpus is done: its mode by its id. */
export type DecidedModes = ReadonlyMap<string, string>;

/** Of decisions that were done, the newest last, those that name a corpus. */
export function decidedModes(events: readonly EfficiencyEvent[]): DecidedModes {
  const modes = new Map<string, string>();
  for (const { event, mode, task_corpus_id: corpus } of events) {
    if (event === 'dispatch_decision' && typeof corpus === 'string' && typeof mode === 'string')
      modes.set(corpus, mode);
  }
  return modes;
}

/**
 * What events show, by mode, `null` last. An event without a mode has that of its corpus. Each mean is over the events that know the figure; null where none does.
 *
 * - `billed`: of events whose accounting source vouches. `known` are those with an amount or with all four token counts; the
 *   tokens of an event are the sum of the four, and unknown where one of them is. Amounts have a mean where all of
 *   them are in one named currency: others cannot be added up.
 * - No logical figure (occupancy, bytes) is in here, and none is turned into money (contract §12).
 */
export function observedIn(events: readonly EfficiencyEvent[], modes: DecidedModes): readonly Observed[] {
  const byMode = new Map<string | null, EfficiencyEvent[]>();
  for (const event of events) {
    const mode = modeOf(event, modes);
    const ofMode = byMode.get(mode);
    if (ofMode) ofMode.push(event);
    else byMode.set(mode, [event]);
  }
  return [...byMode].sort(([one], [other]) => inOrder(one, other)).map(([mode, of]) => observedOf(mode, of));
}

function modeOf({ mode, task_corpus_id: corpus }: EfficiencyEvent, modes: DecidedModes): string | null {
  if (typeof mode === 'string') return mode;
  return (typeof corpus === 'string' && modes.get(corpus)) || null;
}

function observedOf(mode: string | null, events: readonly EfficiencyEvent[]): Observed {
  const billed = events.map((event) => event.billed).filter(isVouched);
  const amounts = billed.filter((facts) => facts['amount'] !== null);
  const currency = oneCurrency(amounts);
  const reads = known(events.map(({ logical }) => logical['repeated_file_reads']));
  const elapsed = known(events.map(({ outcome }) => outcome['elapsed_ms']));
  return {
    mode,
    events: events.length,
    billed: {
      known: billed.filter((facts) => facts['amount'] !== null || tokensOf(facts) !== null).length,
      meanAmount: currency === null ? null : mean(known(amounts.map((facts) => facts['amount']))),
      currency,
      meanTokens: mean(known(billed.map(tokensOf))),
    },
    rediscovery: { known: reads.length, meanRepeatedFileReads: mean(reads) },
    latency: { known: elapsed.length, meanElapsedMs: mean(elapsed) },
  };
}

function isVouched(billed: Facts): boolean {
  return VOUCHED.includes(billed['accounting_source'] as string);
}

function tokensOf(billed: Facts): number | null {
  const counts = known(TOKENS.map((name) => billed[name]));
  return counts.length === TOKENS.length ? counts.reduce((sum, count) => sum + count, 0) : null;
}

function oneCurrency(amounts: readonly Facts[]): string | null {
  const currencies = new Set(amounts.map((facts) => facts['currency']));
  const [currency] = currencies;
  return currencies.size === 1 && typeof currency === 'string' ? currency : null;
}

function known(figures: readonly unknown[]): readonly number[] {
  return figures.filter((figure) => typeof figure === 'number');
}

function mean(figures: readonly number[]): number | null {
  return figures.length === 0 ? null : figures.reduce((sum, figure) => sum + figure, 0) / figures.length;
}

function inOrder(one: string | null, other: string | null): number {
  if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
  return one < other ? -1 : Number(one > other);
}
