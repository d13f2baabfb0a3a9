import { z } from 'zod';
import { modelConfigOf, modelVariables, type ModelConfig } from './model-config.js';
import { variable, type ConfigOf, type ConfigRule } from './read-config.js';
import { wholeNumber } from './variable-kinds.js';

/** Who makes summaries: for the workers, which need {@link modelVariables} as well, and for the assembler that asks them. */
export const summaryVariables = {
  summarizer: variable(
    'PALIMPSEST_SUMMARIZER',
    z.enum(['extractive', 'model']).default('extractive'),
    'Who writes summaries: `extractive` keeps labelled facts and asks nobody; `model` lets the model write prose before them, and has summaries made ahead of need. Assembler and workers take the same.',
  ),
  summarizerInputTokens: variable(
    'PALIMPSEST_SUMMARIZER_INPUT_TOKENS',
    wholeNumber(2000, 1_000_000).default(24_000),
    'Most tokens (`o200k_base`) of one request for a summary. Keep it below what the model takes.',
  ),
};

type SummarySettings = ConfigOf<typeof summaryVariables & typeof modelVariables>;

/** A model that nobody named is not replaced in silence by none. */
export const summarizerRule: ConfigRule<typeof summaryVariables & typeof modelVariables> = (config) =>
  config.summarizer === 'model' && !config.modelProvider
    ? [
        {
          variable: modelVariables.modelProvider.name,
          problem: 'is required where PALIMPSEST_SUMMARIZER is model',
        },
      ]
    : [];

/** The model that writes summaries; `undefined` where none does. */
export function summarizerModelOf(config: SummarySettings): ModelConfig | undefined {
  return config.summarizer === 'model' ? modelConfigOf(config) : undefined;
}

/** How the assembler asks: what a model writes takes long, and it reads only so much at once. */
export function summaryPlansOf({
  summarizer,
  summarizerInputTokens,
}: Pick<SummarySettings, keyof typeof summaryVariables>): {
  readonly prepareAhead: boolean;
  readonly summaryJobTokens?: number;
} {
  if (summarizer !== 'model') return { prepareAhead: false };
  return { prepareAhead: true, summaryJobTokens: summarizerInputTokens };
}
