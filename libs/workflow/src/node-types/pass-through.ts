import { NO_PROBLEMS, type NodeType } from './node-type.js';

/** `core.noop` does nothing. Its configuration may hold anything. */
export const noop: NodeType = {
  problemsOf: () => NO_PROBLEMS,
  perform: () => ({ kind: 'complete', outputs: {} }),
};

/** `core.identity` gives its inputs; without inputs, the run's variables. */
export const identity: NodeType = {
  problemsOf: () => NO_PROBLEMS,
  perform: ({ inputs, hasInputs, variables }) => ({
    kind: 'complete',
    outputs: hasInputs ? inputs : variables,
  }),
};
