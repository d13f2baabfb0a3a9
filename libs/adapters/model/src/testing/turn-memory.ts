import { shownTurn, taskOf, toldTurn } from './turn-of-prompt.js';
import type { WireRequest } from './wire-request.js';

/**
 * Knows which turn of a loop a request is for. Most prompts show the decision before; where summaries stand for all
 * decisions, an invocation that was not seen yet is the next turn of the loop with the same task. Loops that run
 * at once are told apart by their inputs, which stand there.
 */
export class TurnMemory {
  readonly #turns = new Map<string, number>();
  readonly #latest = new Map<string, number>();

  turnOf({ messages }: WireRequest, invocation: string): number {
    const task = taskOf(messages);
    const shown = shownTurn(messages);
    const turn =
      shown === undefined
        ? (this.#turns.get(invocation) ?? (this.#latest.get(task) ?? toldTurn(messages)) + 1)
        : shown + 1;
    this.#turns.set(invocation, turn);
    this.#latest.set(task, turn);
    return turn;
  }
}
