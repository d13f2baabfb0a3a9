import { TerminalError } from '@palimpsest/kernel';

/** Beside all its pins, a run's budget would not hold the turns that are to be kept. */
export class PinsInfeasibleError extends TerminalError {
  constructor(transcriptTokenBudget: number, minimumBudget: number) {
    super('context_budget_infeasible', 'The budget does not hold the turns to keep beside this pin.', {
      details: { transcriptTokenBudget, minimumBudget },
    });
  }
}
