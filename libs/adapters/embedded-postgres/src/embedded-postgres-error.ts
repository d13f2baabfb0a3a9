import { TerminalError } from '@palimpsest/kernel';

/** The server cannot be brought up here; the message says why and what to do instead. */
export class EmbeddedPostgresError extends TerminalError {
  constructor(message: string, options: { readonly cause?: unknown; readonly log?: string } = {}) {
    super('internal_error', withLog(message, options.log), { cause: options.cause });
  }
}

function withLog(message: string, log: string | undefined): string {
  return log ? `${message}\nIts last words:\n${log}` : message;
}
