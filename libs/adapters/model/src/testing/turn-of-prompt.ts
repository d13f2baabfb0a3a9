import type { ModelMessage } from '@palimpsest/kernel';

/** As a transcript renders a decision: on a line of its own. What workers return stands within lines. */
const TURN = /^turn (\d+):/gm;
/** In a summary a line may begin with whose it was. */
const TOLD_TURN = /\bturn (\d+):/g;
/** What a transcript renders of workers, on one line: they may write anything. */
const OF_WORKERS = /\[(?:outcome|worker)\b[^\n]*/g;

/** How many decisions a window does not show. */
const NOT_SHOWN = /The decisions? of turns? (?:1 to )?(\d+) (?:is|are) not shown/;
/** Where a transcript begins behind the task; a provider may join messages of one role. */
const FED = /\[(?:summary|outcome|worker)\b|The decisions? of turns? /;

/** What a loop is for: the same in all its turns. */
export function taskOf(messages: readonly ModelMessage[]): string {
  return messages[0]?.text.split(FED)[0] ?? '';
}

/** The last decision that a loop's prompt shows, by its turn; 0 for a prompt of the first turn, undefined where none is left. */
export function shownTurn(messages: readonly ModelMessage[]): number | undefined {
  if (messages.length <= 1 && !FED.test(messages[0]?.text ?? '')) return 0;
  const said = messages.filter(({ role }) => role === 'assistant').flatMap(({ text }) => turnsIn(text, TURN));
  if (said.length > 0) return Math.max(...said);
  const missing = messages.map(({ text }) => NOT_SHOWN.exec(text)?.[1]).find((turn) => turn !== undefined);
  return missing === undefined ? undefined : Number(missing);
}

/** The last turn that a summary in the prompt tells of; 0 where it tells of none. */
export function toldTurn(messages: readonly ModelMessage[]): number {
  const told = messages.map(({ text }) => text.replaceAll(OF_WORKERS, ''));
  return Math.max(0, ...told.flatMap((text) => turnsIn(text, TOLD_TURN)));
}

function turnsIn(text: string, pattern: RegExp): readonly number[] {
  return [...text.matchAll(pattern)].map(([, turn]) => Number(turn));
}
