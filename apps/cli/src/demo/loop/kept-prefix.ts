import type { PalimpsestApi, WindowDocument } from '../../client/palimpsest-api.js';

/** Tokens of windows, and how many of them stood at the beginning of the window before, byte for byte. */
export type KeptPrefix = { readonly tokens: number; readonly kept: number };

/** Over all consecutive windows of a run. */
export async function keptPrefix(api: PalimpsestApi, runId: string, windows: number): Promise<KeptPrefix> {
  let before: WindowDocument['entries'] = [];
  let sum: KeptPrefix = { tokens: 0, kept: 0 };
  for (let iteration = 1; iteration <= windows; iteration += 1) {
    const { entries, tokenCount } = await api.readWindow(runId, iteration);
    if (before.length > 0)
      sum = { tokens: sum.tokens + tokenCount, kept: sum.kept + commonTokens(before, entries) };
    before = entries;
  }
  return sum;
}

function commonTokens(before: WindowDocument['entries'], after: WindowDocument['entries']): number {
  const differs = after.findIndex(({ rendered }, place) => before[place]?.rendered !== rendered);
  const common = differs === -1 ? after : after.slice(0, differs);
  return common.reduce((sum, { tokens }) => sum + tokens, 0);
}
