import type { JsonObject } from '@palimpsest/contracts';
import { hasCode, RetryableError, TerminalError, type PalimpsestError } from './palimpsest-error.js';

/** A request that does not fit its schema or its limits. `field` is a path like `messages.3.role`. */
export class ValidationError extends TerminalError {
  constructor(message: string, details?: JsonObject) {
    super('validation_error', message, details ? { details } : {});
  }
}

/** Absent, or not the caller's: both are answered alike. */
export class NotFoundError extends TerminalError {
  constructor(what: string, details?: JsonObject) {
    super('not_found', `${what} was not found.`, details ? { details } : {});
  }
}

/** Somebody else wrote first. `head` is the sequence that stands now (−1: empty). */
export class SequenceConflictError extends TerminalError {
  constructor(
    readonly runId: string,
    readonly expected: number | string,
    readonly head: number,
  ) {
    super('sequence_conflict', 'The run has moved on: what was expected is not its head.', {
      details: { runId, expectedSequence: expected, actualSequence: head },
    });
  }
}

/** The run takes no more turns: it has ended, or it is a replay, which only repeats its source. */
export class RunNotActiveError extends TerminalError {
  constructor(runId: string, runStatus: string, why: 'ended' | 'replay' = 'ended') {
    const reason = why === 'replay' ? 'a replay of another run' : runStatus;
    super('run_not_active', `The run is ${reason}: it takes no more turns.`, {
      details: { runId, runStatus },
    });
  }
}

export class ArtifactErasedError extends TerminalError {
  constructor(readonly artifactId: string) {
    super('artifact_erased', 'The content of this artifact was erased.', { details: { artifactId } });
  }
}

/** What lies in the artifact store is not what was put there. {@link isArtifactCorrupt} knows it after a hop, too. */
export class ArtifactCorruptError extends TerminalError {
  constructor(readonly artifactId: string) {
    super('internal_error', 'The content of this artifact is damaged.', {
      details: { artifactId, reason: 'artifact_corrupt' },
    });
  }
}

export function isArtifactCorrupt(error: unknown): error is PalimpsestError {
  return hasCode(error, 'internal_error') && error.details?.['reason'] === 'artifact_corrupt';
}

export class PayloadTooLargeError extends TerminalError {
  /** `what` begins the message's sentence. */
  constructor(bytes: number, limitBytes: number, what = 'The body') {
    super('payload_too_large', `${what} has ${bytes} bytes; at most ${limitBytes} are taken.`, {
      details: { bytes, limitBytes },
    });
  }
}

/** The request holds what may not be kept. Of the API's own names, `field` says where; nothing says what. */
export class PrivateContentError extends TerminalError {
  constructor(field?: string) {
    super(
      'private_content',
      'The request holds a value that may not be kept: a credential, an address or a handle.',
      field === undefined ? {} : { details: { field } },
    );
  }
}

/** What refuses a decision of the context-efficiency contract: its code (contract §1.2), and the sentence that belongs to it. */
type ContractRefusal = {
  readonly code: string;
  readonly message: string;
  readonly field?: string | undefined;
};

/** The contract refuses the decision; `details.contractCode` is its code. `index`: of the item of a batch that is refused. */
export class ContextRefusedError extends TerminalError {
  constructor({ code, message, field }: ContractRefusal, index?: number) {
    super('context_refused', message, {
      details: {
        contractCode: code,
        ...(index !== undefined && { index }),
        ...(field !== undefined && { field }),
      },
    });
  }
}

/** A service, the database or the bus does not answer. */
export class ServiceUnavailableError extends RetryableError {
  constructor(what: string, options: { readonly cause?: unknown; readonly retryAfterMs?: number } = {}) {
    super('service_unavailable', `${what} does not answer; try again shortly.`, options);
  }
}

/**
 * A newer version started the run, in a way of deriving it that is not known here: deriving it otherwise would be wrong. Asked
 * of an instance of that version the same request succeeds, so a message waits for one.
 */
export class UnsupportedEngineVersionError extends RetryableError {
  constructor(
    readonly runId: string,
    readonly unknownReplayFlags: readonly number[],
  ) {
    super('unsupported_engine_version', 'The run was started by a newer version than this one.', {
      details: { runId, unknownReplayFlags: [...unknownReplayFlags] },
      retryAfterMs: 5000,
    });
  }
}
