import { z } from 'zod';
import { variable, type ConfigOf, type ConfigRule } from './read-config.js';
import { connectionUrl, modelNames, providerKey, wholeNumber } from './variable-kinds.js';

/** A model provider, for every process that asks one. Without a provider it asks none. */
export const modelVariables = {
  modelProvider: variable(
    'PALIMPSEST_MODEL_PROVIDER',
    z.enum(['openai-compatible', 'anthropic']).optional(),
    'What the model provider speaks. Without it no model is asked.',
  ),
  modelBaseUrl: variable(
    'PALIMPSEST_MODEL_BASE_URL',
    connectionUrl('http', 'https').optional(),
    'Where the provider is, with its version: `https://api.openai.com/v1`. Anthropic has a default.',
  ),
  modelApiKey: variable(
    'PALIMPSEST_MODEL_API_KEY',
    providerKey.optional(),
    "The provider's key. A server of your own may need none; Anthropic does.",
  ),
  modelName: variable(
    'PALIMPSEST_MODEL_NAME',
    z.string().max(256, 'is too long').optional(),
    'The model, as the provider names it.',
  ),
  modelTimeoutMs: variable(
    'PALIMPSEST_MODEL_TIMEOUT_MS',
    wholeNumber(1000, 300_000).default(120_000),
    'Milliseconds that one answer of the provider may take; every further attempt has as long.',
  ),
  modelMaxAttempts: variable(
    'PALIMPSEST_MODEL_MAX_ATTEMPTS',
    wholeNumber(1, 20).default(4),
    'Most requests for one answer, where the provider is busy or cannot be reached.',
  ),
  modelReasoningTokens: variable(
    'PALIMPSEST_MODEL_REASONING_TOKENS',
    wholeNumber(0, 1_000_000).default(0),
    'Output tokens that the model may spend on reasoning, beside those of its answer. Set it for a model that reasons.',
  ),
};

/** What runs and nodes may wish for: to whoever starts runs, and whoever asks the model for them. */
export const wishVariables = {
  modelName: modelVariables.modelName,
  modelAllowed: variable(
    'PALIMPSEST_MODEL_ALLOWED',
    modelNames.default([]),
    'Models of the provider, beside `PALIMPSEST_MODEL_NAME`, that a run or a node may ask for.',
  ),
};

type WishSettings = ConfigOf<typeof wishVariables>;

/** All that may be asked for; `undefined` where the process was not told. */
export function askableModels({ modelName, modelAllowed }: WishSettings): readonly string[] | undefined {
  return modelName === undefined ? undefined : [modelName, ...modelAllowed];
}

/** A list without the model that it stands beside would be told to nobody. */
export const wishRule: ConfigRule<typeof wishVariables> = ({ modelName, modelAllowed }) =>
  modelAllowed.length > 0 && modelName === undefined
    ? [
        {
          variable: modelVariables.modelName.name,
          problem: 'is required where PALIMPSEST_MODEL_ALLOWED is set',
        },
      ]
    : [];

type ModelSettings = ConfigOf<typeof modelVariables>;

type Common = {
  readonly model: string;
  readonly timeoutMs: number;
  readonly maxAttempts: number;
  readonly reasoningTokens: number;
};

export type ModelConfig = Common &
  (
    | { readonly provider: 'openai-compatible'; readonly baseUrl: string; readonly apiKey?: string }
    | { readonly provider: 'anthropic'; readonly baseUrl?: string; readonly apiKey: string }
  );

/** What is of no use without a provider: whoever sets one of them means that a model is asked. */
const OF_A_PROVIDER = ['modelName', 'modelBaseUrl', 'modelApiKey'] as const;

/** What a provider cannot do without, and that there is one where something is said of it. */
export const modelRule: ConfigRule<typeof modelVariables> = (config) => {
  const { modelProvider: provider } = config;
  if (!provider) {
    const said = OF_A_PROVIDER.find((key) => config[key] !== undefined);
    if (!said) return [];
    const problem = `is required where ${modelVariables[said].name} is set`;
    return [{ variable: modelVariables.modelProvider.name, problem }];
  }
  const needed = ['modelName', provider === 'anthropic' ? 'modelApiKey' : 'modelBaseUrl'] as const;
  return needed
    .filter((key) => config[key] === undefined)
    .map((key) => ({
      variable: modelVariables[key].name,
      problem: `is required where PALIMPSEST_MODEL_PROVIDER is ${provider}`,
    }));
};

/** The model of a configuration that keeps {@link modelRule}; `undefined` where it has none. */
export function modelConfigOf(config: ModelSettings): ModelConfig | undefined {
  const { modelProvider, modelBaseUrl: baseUrl, modelApiKey: apiKey, modelName } = config;
  const common: Common = {
    model: modelName ?? '',
    timeoutMs: config.modelTimeoutMs,
    maxAttempts: config.modelMaxAttempts,
    reasoningTokens: config.modelReasoningTokens,
  };
  switch (modelProvider) {
    case undefined:
      return undefined;
    case 'anthropic':
      return {
        ...common,
        provider: modelProvider,
        apiKey: apiKey ?? '',
        ...(baseUrl !== undefined && { baseUrl }),
      };
    case 'openai-compatible':
      return {
        ...common,
        provider: modelProvider,
        baseUrl: baseUrl ?? '',
        ...(apiKey !== undefined && { apiKey }),
      };
    default:
      return modelProvider satisfies never;
  }
}
