import type { MessageContent } from '@palimpsest/contracts';
import { renderMessage } from '@palimpsest/transcript';
import { argumentValues, standsIn } from './fidelity-values.js';

export type FidelityTally = {
  /** Windows measured: those before a message with calls where the budget bites. */
  windows: number;
  /** Argument values that had appeared before. */
  values: number;
  /** Of these, the ones that stand in the window. */
  kept: number;
  /** The same without values of one character, which stand in most texts by chance. */
  longValues: number;
  longKept: number;
};

export type Missed = { readonly message: number; readonly value: string; readonly window: string };

/** What feeds windows: turns go in, the text of the window comes out. */
export type WindowSource = {
  readonly bites: boolean;
  append(turn: readonly MessageContent[]): void;
  text(): Promise<string>;
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
  tally: FidelityTally,
): Promise<readonly Missed[]> {
  const missed: Missed[] = [];
  let history = '';
  for (const [index, turn] of turnsOf(messages).entries()) {
    const [first] = turn;
    if (first?.role === 'assistant' && history !== '') {
      const window = await source.text();
      if (source.bites) missed.push(...measureWindow(first, { history, window, index }, tally));
    }
    source.append(turn);
    history += turn.map(renderMessage).join('');
  }
  return missed;
}

function measureWindow(
  message: MessageContent,
  at: { readonly history: string; readonly window: string; readonly index: number },
  tally: FidelityTally,
): Missed[] {
  const values = argumentValues(message).filter((value) => standsIn(at.history, value));
  if (message.toolCalls?.length) tally.windows += 1;
  const missing = values.filter((value) => !standsIn(at.window, value));
  tally.values += values.length;
  tally.kept += values.length - missing.length;
  const long = values.filter(isLong).length;
  tally.longValues += long;
  tally.longKept += long - missing.filter(isLong).length;
  return missing.map((value) => ({ message: at.index, value, window: at.window }));
}

function isLong(value: string): boolean {
  return value.length > 1;
}
