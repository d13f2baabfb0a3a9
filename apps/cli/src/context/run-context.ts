import { answerStream, refusalWith, type ContextAnswer } from '@palimpsest/context-efficiency';
import { processSurroundings } from './process-surroundings.js';

/**
 * One request on standard input, one answer on standard output: exit code 0 or 1, nothing on standard error
 * (context-efficiency contract §1). Words after the operation say nothing.
 */
export async function runContext([operation]: readonly string[]): Promise<number> {
  // Read until the answer is certain; then it is closed, though its sender may hold it open.
  const answer = await answerStream({
    operation,
    open: () => process.stdin,
    surroundings: processSurroundings,
  });
  return (await write(lineOf(answer))) && answer.ok ? 0 : 1;
}

function lineOf(answer: ContextAnswer): string {
  try {
    return `${JSON.stringify(answer)}\n`;
  } catch {
    return `${JSON.stringify(refusalWith('INVALID_REQUEST'))}\n`;
  }
}

/** False where nobody reads any more. */
function write(line: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.on('error', () => resolve(false));
    process.stdout.write(line, (error) => resolve(!error));
  });
}
