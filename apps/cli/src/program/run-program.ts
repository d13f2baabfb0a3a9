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
  const said = invalidValue(message) ?? message;
  return new UsageError(said.replace(/\.$/, ''), [...suggestions, `See: ${help}`].join('\n'));
}

const INVALID_OPTION = /^option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (.*)$/;
const INVALID_ARGUMENT = /^command-argument value '(.*)' is invalid for argument '(.*)'\. (.*)$/;

/** `--mode takes one of replay, branch, not 'copy'`; undefined for what is about no value. */
function invalidValue(message: string): string | undefined {
  const option = INVALID_OPTION.exec(message);
  if (option) return valueText(option[1], option[2], option[3]);
  const argument = INVALID_ARGUMENT.exec(message);
  return argument ? valueText(`<${argument[2]}>`, argument[1], argument[3]) : undefined;
}

function valueText(name = '', value = '', reason = ''): string {
  const takes = /^(?:It takes|Allowed choices are) (.*?)\.?$/.exec(reason)?.[1];
  if (takes === undefined) return `${name}: ${reason}`;
  const one = reason.startsWith('Allowed') ? 'one of ' : '';
  return `${name} takes ${one}${takes}, not '${value}'`;
}

/** Of the command that was meant, as far as its words are known. */
function helpFor(program: Command, argv: readonly string[]): string {
  const words = ['palimpsest'];
  let command: Command | undefined = program;
  for (const word of argv) {
    command = command.commands.find((each) => each.name() === word);
    if (!command) break;
    words.push(word);
  }
  return `${words.join(' ')} --help`;
}
