import type { MessageContent } from '@palimpsest/contracts';
import { renderMessage } from '@palimpsest/transcript';
import { argumentValues, standsIn } from './argument-values.js';

export type Tally = {
  /** Windows measured: those before a message with calls, once the budget bites. */
  windows: number;
  /** Argument values that had appeared before. */
  values: number;
  /** Of these, the ones that stand in the window. */
  kept: number;
  /** The same without values of one character, which stand in most texts by chance. */
  longValues: number;
  longKept: number;
};

export function emptyTally(): Tally {
  return { windows: 0, values: 0, kept: 0, longValues: 0, longKept: 0 };
}

/** What feeds windows: turns go in, the text of the window comes out, and whether it is less than the history. */
export type WindowSource = {
  append(turn: readonly MessageContent[]): Promise<void>;
  window(): Promise<{ readonly text: string; readonly bites: boolean }>;
};

/** Turns of a transcript without its system messages: a message, or a call with the results that follow it. */
export function turnsOf(messages: readonly MessageContent[]): MessageContent[][] {
  const turns: MessageContent[][] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    if (message.role === 'tool' && turns.length > 0) turns.at(-1)?.push(message);
    else turns.push([message]);
  }
  return turns;
}

/**
 * Feeds one session turn by turn, with a window before every assistant message, and counts the argument values of
 * its calls that had appeared verbatim before and still stand in that window.
 */
export async function measureSession(
  messages: readonly MessageContent[],
  source: WindowSource,
  tally: Tally,
): Promise<void> {
  let history = '';
  for (const turn of turnsOf(messages)) {
    const [first] = turn;
    if (first?.role === 'assistant' && history !== '') {
      const { text, bites } = await source.window();
      if (bites && first.toolCalls?.length) measureWindow(first, { history, text }, tally);
    }
    await source.append(turn);
    history += turn.map(renderMessage).join('');
  }
}

function measureWindow(
  message: MessageContent,
  at: { readonly history: string; readonly text: string },
  tally: Tally,
): void {
  const values = argumentValues(message).filter((value) => standsIn(at.history, value));
  const kept = values.filter((value) => standsIn(at.text, value));
  tally.windows += 1;
  tally.values += values.length;
  tally.kept += kept.length;
  tally.longValues += values.filter(isLong).length;
  tally.longKept += kept.filter(isLong).length;
}

function isLong(value: string): boolean {
  return value.length > 1;
}
