import { CliError, EXIT, type ExitCode } from './cli-error.js';
import { isClientError, serverFailure } from './server-failures.js';

export type Failure = { readonly lines: readonly string[]; readonly exitCode: ExitCode };

/** What is written of an error: `palimpsest: <message> (<code>)`, and its hint indented below. */
export function describeFailure(error: unknown): Failure {
  const { message, code, hint, exitCode } = known(error);
  const hints = (hint ?? '').split('\n').filter((line) => line !== '');
  return { lines: [`palimpsest: ${message} (${code})`, ...hints.map((line) => `  ${line}`)], exitCode };
}

type Described = Pick<CliError, 'message' | 'code' | 'hint' | 'exitCode'>;

function known(error: unknown): Described {
  if (error instanceof CliError) return error;
  if (isClientError(error)) return { ...serverFailure(error), exitCode: EXIT.server };
  if (isConfigurationError(error)) {
    const [message = '', ...problems] = error.message.replace(/:\n/, '\n').split('\n');
    return {
      message,
      code: 'configuration',
      hint: problems.map((line) => line.trim()).join('\n'),
      exitCode: 2,
    };
  }
  const message = error instanceof Error ? (error.message.split('\n')[0] ?? error.name) : 'unknown failure';
  return { message, code: codeOf(error), hint: undefined, exitCode: EXIT.server };
}

function isConfigurationError(error: unknown): error is Error {
  return error instanceof Error && error.name === 'ConfigurationError';
}

function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null | undefined)?.code;
  return typeof code === 'string' ? code : 'internal_error';
}
