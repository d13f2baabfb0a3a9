/** Exit codes of every command. */
export const EXIT = {
  done: 0,
  /** The command did its work and the verdict is negative. */
  negative: 1,
  usage: 2,
  /** The server refused, or cannot be reached. */
  server: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

export type CliErrorOptions = {
  readonly code: string;
  readonly exitCode: ExitCode;
  /** What to do about it; lines of their own. */
  readonly hint?: string;
  readonly cause?: unknown;
};

/** An end that the user can act on: one line, a code, perhaps a hint; never a stack trace. */
export class CliError extends Error {
  readonly code: string;
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, options: CliErrorOptions) {
    super(message, { cause: options.cause });
    this.name = new.target.name;
    this.code = options.code;
    this.exitCode = options.exitCode;
    this.hint = options.hint;
  }
}

export class UsageError extends CliError {
  constructor(message: string, hint?: string) {
    super(message, { code: 'usage', exitCode: EXIT.usage, ...(hint !== undefined && { hint }) });
  }
}
