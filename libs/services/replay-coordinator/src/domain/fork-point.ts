import { isTerminalStatus, type ForkRun, type RunHeader } from '@palimpsest/contracts';
import { ValidationError } from '@palimpsest/kernel';
import { InvalidFromSeqError } from './fork.errors.js';

/**
 * Where a fork leaves its source, of which `source` is the header as of the request. A replay takes 0..last.
 * A branch may also stand behind the last event, but only of a run that is not over: of a terminal run the
 * greatest branch point is the terminal event's own sequence, which is then not shared.
 */
export function forkPointOf(command: ForkRun, source: RunHeader): number {
  const { mode, fromSeq } = command;
  if (mode === 'branch' && fromSeq === undefined)
    throw new ValidationError('A branch needs fromSeq.', { field: 'fromSeq', rule: 'required' });
  const point = fromSeq ?? 0;
  const behindLast = mode === 'branch' && source.head >= 0 && !isTerminalStatus(source.status);
  const greatest = behindLast ? source.head + 1 : source.head;
  if (point > greatest) throw new InvalidFromSeqError(source.runId, point, greatest);
  return point;
}
