import { EXIT } from './cli-error.js';
import { runProgram } from './run-program.js';

/** Runs a command line as this process. */
export async function runCommandLine(argv: readonly string[]): Promise<void> {
  // `palimpsest … | head`: the reader has enough.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
  const code = await runProgram(argv);
  process.exitCode = code;
  // What was interrupted may still be waiting for an answer that nobody wants.
  if (code === EXIT.interrupted) process.exit();
}
