import type { Decider } from '../decider.js';

/** given / when / then for a decider: past events, a command, and what it records or how it refuses. */
export function specificationOf<State, Command, Event>(decider: Decider<State, Command, Event>) {
  return {
    given(...past: readonly Event[]) {
      const state = past.reduce((before, event) => decider.evolve(before, event), decider.initialState);
      return { when: (command: Command) => outcomeOf(() => decider.decide(command, state)) };
    },
    /** For states that no history of this stream leads to, such as a fork's. */
    givenState(state: State) {
      return { when: (command: Command) => outcomeOf(() => decider.decide(command, state)) };
    },
  };
}

function outcomeOf<Event>(decide: () => readonly Event[]) {
  return {
    then(...expected: readonly Event[]): void {
      expect(decide()).toEqual(expected);
    },
    thenMatches(...expected: readonly object[]): void {
      expect(decide()).toMatchObject(expected);
    },
    thenRefuses(error: object): void {
      expect(decide).toThrow(expect.objectContaining(error));
    },
  };
}
