import type { BrokenLink } from '@palimpsest/kernel';

export type LogDifference = { readonly sequence: number; readonly what: string };

type Kind = BrokenLink['what'] | 'cause' | 'missing' | 'damaged' | 'surplus' | RowPart;

/** What of a run's row follows from its log. */
type RowPart = 'workflow' | 'status' | 'state' | 'change';

const WHAT: Readonly<Record<Kind, string>> = {
  sequence: 'an event is missing from the log, or not in its place',
  content: 'the event says something else than was recorded',
  link: 'its time, its cause or what comes before it is not as recorded',
  writer: 'it stands in the log of a run that did not write it',
  unchained: 'the event is in no chain',
  head: 'the log and the head of the run are not of one chain',
  beginning: 'the run’s row says another beginning than its log',
  cause: 'its cause is no event before it',
  missing: 'content that it names is missing',
  damaged: 'content that it names is not as stored',
  surplus: 'it stands beyond the head of the run',
  workflow: 'the run’s row says another workflow than its log',
  status: 'the run’s row says another status than its log',
  state: 'the run’s row says another state than its log',
  change: 'the run’s row says another last change than its log',
};

/** A difference in words, at the place of the event that it is about. */
export function whatDiffers(kind: Kind, sequence: number): LogDifference {
  return { sequence, what: WHAT[kind] };
}
