import type { WindowPair, WindowPlanned, WindowSide } from '@palimpsest/contracts';

export type PlannedWindow = { readonly sequence: number; readonly window: WindowPlanned };

/** The windows of one iteration; at least one is there. */
export type PlannedPair = {
  readonly iteration: number;
  readonly run?: PlannedWindow;
  readonly other?: PlannedWindow;
};

export type BothPlanned = PlannedPair & Required<Pick<PlannedPair, 'run' | 'other'>>;

export function isInBoth(pair: PlannedPair): pair is BothPlanned {
  return pair.run !== undefined && pair.other !== undefined;
}

/** Windows that count differently fed different texts: then nothing of the logs need be read to know. */
export function countAlike({ run, other }: BothPlanned): boolean {
  const [a, b] = [run.window, other.window];
  return (
    a.tokenCounter === b.tokenCounter &&
    a.tokenCount === b.tokenCount &&
    a.instructionTokens === b.instructionTokens &&
    a.summarySequences.length === b.summarySequences.length
  );
}

export function windowPair(pair: PlannedPair, identical: boolean): WindowPair {
  const { iteration, run, other } = pair;
  return { iteration, identical, ...(run && { run: sideOf(run) }), ...(other && { other: sideOf(other) }) };
}

function sideOf({ sequence, window }: PlannedWindow): WindowSide {
  return {
    sequence,
    tokenCounter: window.tokenCounter,
    fedTokens: window.tokenCount,
    unboundedTokens: window.unboundedTokenCount,
    summaries: window.summarySequences.length,
  };
}
