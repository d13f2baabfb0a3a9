import type { ContextStrategy, JsonValue, TokenCounterName } from '@palimpsest/contracts';
import type { ForkBody } from '../client/palimpsest-api.js';

/** A key of `configurable`, and its value. */
export type Setting = readonly [key: string, value: JsonValue];

export type OverlayOptions = {
  readonly budget?: number;
  readonly counter?: TokenCounterName;
  readonly keepLast?: number;
  readonly strategy?: ContextStrategy;
  readonly transcriptWindow?: number;
  readonly model?: string;
  readonly set?: readonly Setting[];
};

/** `key=json`; undefined for any other text. */
export function settingFrom(text: string): Setting | undefined {
  const at = text.indexOf('=');
  if (at < 1) return undefined;
  try {
    return [text.slice(0, at), JSON.parse(text.slice(at + 1)) as JsonValue];
  } catch {
    return undefined;
  }
}

/** What a branch is to run on under; undefined where nothing is said of it. */
export function overlayOf(options: OverlayOptions): ForkBody['runOptionsOverlay'] {
  const { budget, counter, keepLast, strategy, transcriptWindow, model, set = [] } = options;
  const context = {
    ...(budget !== undefined && { transcriptTokenBudget: budget }),
    ...(counter !== undefined && { tokenCounter: counter }),
    ...(keepLast !== undefined && { keepLastTurns: keepLast }),
    ...(strategy !== undefined && { strategy }),
    ...(transcriptWindow !== undefined && { transcriptWindow }),
  };
  const configurable = {
    ...Object.fromEntries(set),
    ...(model !== undefined && { model }),
    ...(Object.keys(context).length > 0 && { context }),
  };
  return Object.keys(configurable).length > 0 ? { configurable } : undefined;
}
