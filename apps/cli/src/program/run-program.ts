import { CommanderError, type Command } from 'commander';
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
    // No command at all: the parser has shown the help.
    if (error instanceof CommanderError && error.code === 'commander.help') return EXIT.usage;
    const { lines, exitCode } = describeFailure(usageErrorOf(error, helpFor(program, argv)));
    process.stderr.write(lines.map((line) => `${line}\n`).join(''));
    return exitCode;
  }
}

/** Of the parser: `error: unknown option '--x'`, and what it suggests on the next line. */
function usageErrorOf(error: unknown, help: string): unknown {
  if (!(error instanceof CommanderError)) return error;
  const [message = '', ...suggestions] = error.message.replace(/^error: /, '').split('\n');
  return new UsageError(message.replace(/\.$/, ''), [...suggestions, `See: ${help}`].join('\n'));
}

function helpFor(program: Command, [word]: readonly string[]): string {
  const known = program.commands.some((command) => command.name() === word);
  return known ? `palimpsest ${word} --help` : 'palimpsest --help';
}
