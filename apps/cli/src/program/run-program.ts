import { CommanderError } from 'commander';
import { buildProgram } from './build-program.js';
import { EXIT, UsageError } from './cli-error.js';
import { describeFailure } from './describe-failure.js';

/** Runs a command line; whatever happens becomes an exit code and at most a few lines on standard error. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const program = buildProgram();
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? EXIT.done);
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.done;
    const { lines, exitCode } = describeFailure(usageErrorOf(error, argv));
    process.stderr.write(lines.map((line) => `${line}\n`).join(''));
    return exitCode;
  }
}

/** Of the parser: `error: unknown option '--x'`, and what it suggests on the next line. */
function usageErrorOf(error: unknown, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error;
  if (error.code === 'commander.help') {
    return new UsageError('what is to be done?', 'Try: palimpsest demo, or: palimpsest --help');
  }
  const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  const command = argv.find((word) => /^[a-z]+$/.test(word));
  const help = `See: palimpsest ${command === undefined ? '' : `${command} `}--help`;
  return new UsageError(message, [...suggestions, help].join('\n'));
}
