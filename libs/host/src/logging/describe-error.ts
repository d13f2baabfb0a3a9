import { isPalimpsestError } from '@palimpsest/kernel';

export type DescribedError = {
  readonly name: string;
  readonly code?: string;
  readonly message?: string;
  readonly frames?: readonly string[];
  readonly cause?: DescribedError;
};

const MOST_FRAMES = 12;
const DEEPEST_CAUSE = 3;

/** What may be logged of an error: never the message of one that is not ours, except an operating system's. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { name: typeof error };
  const code = codeOf(error);
  const frames = framesOf(error);
  return {
    name: error.name,
    ...(code !== undefined && { code }),
    ...(mayShowMessage(error, code) && { message: error.message }),
    ...(frames.length > 0 && { frames }),
    ...(error.cause !== undefined &&
      depth < DEEPEST_CAUSE && { cause: describeError(error.cause, depth + 1) }),
  };
}

function codeOf(error: Error): string | undefined {
  const code = (error as { code?: unknown }).code;
  return typeof code === 'string' ? code : undefined;
}

/** `ECONNREFUSED` and its like name a host and a port; a parser's or a database's message may quote what it was given. */
function mayShowMessage(error: Error, code: string | undefined): boolean {
  return isPalimpsestError(error) || error.name === 'ConfigurationError' || /^E[A-Z]{3,}$/.test(code ?? '');
}

function framesOf(error: Error): string[] {
  return (error.stack ?? '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(0, MOST_FRAMES)
    .map((line) => line.trim());
}
