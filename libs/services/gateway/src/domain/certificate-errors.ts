import { TerminalError, type BrokenLink } from '@palimpsest/kernel';

export class NoHostKeyError extends TerminalError {
  constructor() {
    super('capability_required', 'This host has no key to sign certificates with.', {
      details: { capability: 'certificates' },
    });
  }
}

/** Nothing is made up for it: a chain that is made afterwards would prove nothing. */
export class UnchainedRunError extends TerminalError {
  constructor(runId: string) {
    super('capability_required', 'The run is older than the chains of the log: it can have no certificate.', {
      details: { capability: 'certificates', runId },
    });
  }
}

type Broken = { readonly sequence: number; readonly what: BrokenLink['what'] | 'cause' };

/** Nothing is signed of a log that is not as it was recorded, or whose causes are no events before. */
export class BrokenChainError extends TerminalError {
  constructor(runId: string, { sequence, what }: Broken) {
    super('internal_error', 'The log of the run is not as it was recorded.', {
      details: { runId, sequence, what, reason: 'chain_broken' },
    });
  }
}
