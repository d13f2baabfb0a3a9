import type { ContextSettings } from '@palimpsest/contracts';
import { TerminalError } from '@palimpsest/kernel';

type Knobs = Pick<ContextSettings, 'transcriptTokenBudget' | 'transcriptWindow'>;
type Minimum = { readonly minimumBudget: number; readonly minimumTranscriptWindow: number };

/** Beside all its pins, a run's windows would not hold the turns that are to be kept. Names the bound that is too small. */
export class PinsInfeasibleError extends TerminalError {
  constructor({ transcriptTokenBudget, transcriptWindow }: Knobs, least: Minimum) {
    const { minimumBudget, minimumTranscriptWindow } = least;
    const isWindow = transcriptWindow !== undefined && transcriptWindow < minimumTranscriptWindow;
    super('context_budget_infeasible', 'The budget does not hold the turns to keep beside this pin.', {
      details: {
        transcriptTokenBudget,
        minimumBudget,
        ...(isWindow && { transcriptWindow, minimumTranscriptWindow }),
      },
    });
  }
}
