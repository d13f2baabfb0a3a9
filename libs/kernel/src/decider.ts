/** A stream type's rules, pure: time and ids are in the command. */
export type Decider<State, Command, Event> = {
  readonly initialState: State;
  decide(command: Command, state: State): readonly Event[];
  evolve(state: State, event: Event): State;
};
