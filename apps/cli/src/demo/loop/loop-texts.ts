import type { Palette } from '../../output/palette.js';
import { count, percent, plural, wrap } from '../../output/text.js';
import type { DemoModel } from './demo-model.js';
import type { KeptPrefix } from './kept-prefix.js';
import type { LoopTurn, LoopUsage } from './loop-progress.js';

const WIDTH = 78;

export function loopOpening(model: DemoModel, workers: number, budget: number): readonly string[] {
  return [
    ...wrap(
      `A loop reads an incident report by report: in each turn a model decides whom to hand off to, of ` +
        `${plural(workers, 'worker')}, and is fed what came of the turns before in at most ${count(budget)} tokens.`,
      WIDTH,
    ),
    '',
    ...wrap(`Model: ${model.name}.`, WIDTH),
    ...(model.isBundled
      ? wrap('PALIMPSEST_MODEL_PROVIDER and its kin point the demo at a real one: see docs/models.md.', WIDTH)
      : []),
    '',
  ];
}

export type LoopTotals = {
  readonly fedTokens: number;
  readonly unboundedTokens: number;
  readonly largestWindow: number;
  readonly summaries: number;
};

export function totalsOf(turns: readonly LoopTurn[]): LoopTotals {
  const sum = (value: (turn: LoopTurn) => number): number =>
    turns.reduce((total, turn) => total + value(turn), 0);
  return {
    fedTokens: sum(({ windowTokens }) => windowTokens),
    unboundedTokens: sum(({ unboundedTokens }) => unboundedTokens),
    largestWindow: Math.max(0, ...turns.map(({ windowTokens }) => windowTokens)),
    summaries: turns.at(-1)?.summaries ?? 0,
  };
}

type Ended = {
  readonly turns: readonly LoopTurn[];
  readonly usage: LoopUsage;
  readonly prefix: KeptPrefix;
  readonly budget: number;
  readonly model: DemoModel;
};

export function loopTotalLines(ended: Ended, { bold, green, red }: Palette): readonly string[] {
  const { turns, usage, prefix, budget, model } = ended;
  const { fedTokens, unboundedTokens, largestWindow, summaries } = totalsOf(turns);
  const notResent = unboundedTokens - fedTokens;
  const row = (what: string, tokens: number): string =>
    `${what.padEnd(27)} ${count(tokens).padStart(10)} tokens`;
  return [
    '',
    row('whole transcript each turn', unboundedTokens),
    row('windows fed', fedTokens),
    bold(`${row('not re-sent', notResent)}  (${percent(notResent, unboundedTokens)})`),
    '',
    `${plural(turns.length, 'turn')}, ${plural(summaries, 'summary', 'summaries')}`,
    largestWindow <= budget
      ? green(`every window within ${count(budget)} tokens (largest ${count(largestWindow)})`)
      : red(`a window of ${count(largestWindow)} tokens is over ${count(budget)}`),
    `prefix kept from window to window: ${percent(prefix.kept, prefix.tokens)} of their tokens`,
    usageLine(usage),
    model.isBundled
      ? '  in tokens of the bundled server: one for every 4 characters of a request'
      : "  in the provider's own tokens; windows are counted in o200k_base",
  ];
}

function usageLine({ calls, input, output, cacheRead }: LoopUsage): string {
  const cached = cacheRead === undefined ? '' : ` (${percent(cacheRead, input)} from its cache)`;
  return `as the provider counts: ${plural(calls, 'answer')}, ${count(input)} tokens in${cached}, ${count(output)} out`;
}

/** Who counts the model's calls during a replay. */
export type ReplayCalls = {
  readonly calls: number;
  readonly counted: 'by the server' | 'by new usage events';
};

export function replayCallLine({ calls, counted }: ReplayCalls, { green, red }: Palette): string {
  return `${(calls === 0 ? green : red)(`model calls: ${count(calls)}`)}\n  counted ${counted}`;
}
