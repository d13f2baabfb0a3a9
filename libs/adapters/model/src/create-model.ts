import type { Model } from '@palimpsest/kernel';
import { AiSdkModel } from './ai-sdk-model.js';
import { callSettings } from './call/call-settings.js';
import type { ModelOptions, ModelProvider } from './model-options.js';
import { NamedModels } from './named-models.js';
import { anthropic } from './provider/anthropic.js';
import { openAiCompatible } from './provider/openai-compatible.js';
import type { WireProvider } from './provider/wire-provider.js';

/** The models of the provider that the options name. It holds no connection that had to be closed. */
export function createModel(options: ModelOptions): Model {
  const settings = callSettings(options);
  return new NamedModels(
    options.model,
    (model) => new AiSdkModel(wireProvider({ ...options, model }), settings),
  );
}

function wireProvider(options: ModelProvider): WireProvider {
  switch (options.provider) {
    case 'openai-compatible':
      return openAiCompatible(options);
    case 'anthropic':
      return anthropic(options);
    default:
      return options satisfies never;
  }
}
