import type { JsonObject } from '@palimpsest/contracts';

export type RequestedSettings = {
  readonly temperature?: number;
  readonly maxOutputTokens?: number;
  /** Of the configured provider. */
  readonly model?: string;
};

/**
 * What the request of a run says of its calls of a model (host specification §3.2): it goes before what a node says. The
 * values were checked when the run was made.
 */
export function requestedSettings(configurable: JsonObject | undefined): RequestedSettings {
  const { temperature, maxTokens, model } = configurable ?? {};
  return {
    ...(typeof temperature === 'number' && { temperature }),
    ...(typeof maxTokens === 'number' && { maxOutputTokens: maxTokens }),
    ...(typeof model === 'string' && { model }),
  };
}
