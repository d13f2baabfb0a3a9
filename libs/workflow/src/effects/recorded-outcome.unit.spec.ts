import type { Effect } from '../loop/effects.js';
import { edge, node, workflow } from '../testing/definitions.js';
import { recordedOutcome } from './recorded-outcome.js';

const definition = workflow(
  [
    node('s', 'orchestrator.supervisor', { config: { prompt: 'p' } }),
    node('d', 'dispatch'),
    node('m', 'ai.callPrompt'),
    node('e', 'conformance.side-effect'),
  ],
  [edge('s', 'd'), edge('d', 's')],
);
const replayed = { definition, sourceRunId: 'source' };
const of = { config: {}, inputs: {} };
const missing = (details: object) => ({
  code: 'replay_source_missing',
  message: expect.any(String),
  details: { sourceRunId: 'source', ...details },
});

const EFFECTS: readonly (readonly [Effect, object])[] = [
  [
    { kind: 'decide', nodeId: 's', iteration: 3, agent: { agentId: 'abc' }, ...of },
    { kind: 'undecided', iteration: 3, error: missing({ nodeId: 's', iteration: 3 }) },
  ],
  [
    { kind: 'ask-model', nodeId: 'm', typeId: 'core.ai.callPrompt', attempt: 1, ...of },
    { kind: 'model-failed', nodeId: 'm', attempt: 1, error: missing({ nodeId: 'm', attempt: 1 }) },
  ],
  [
    { kind: 'perform', nodeId: 'e', typeId: 'core.conformance.side-effect', attempt: 0 },
    { kind: 'not-performed', nodeId: 'e', attempt: 0, error: missing({ nodeId: 'e', attempt: 0 }) },
  ],
  [
    { kind: 'start-child', nodeId: 'd', workerId: 'w', childRunId: 'c', inputs: {} },
    { kind: 'child-refused', childRunId: 'c', error: missing({ nodeId: 'd' }) },
  ],
  [
    { kind: 'await-child', nodeId: 'd', childRunId: 'c' },
    {
      kind: 'child-ended',
      childRunId: 'c',
      status: 'failed',
      variables: {},
      error: missing({ nodeId: 'd' }),
    },
  ],
];

describe('an effect behind the record of a replay', () => {
  it.each(EFFECTS)('fails by its key: %j', (effect, outcome) => {
    expect(recordedOutcome(effect, replayed)).toEqual(outcome);
    expect(recordedOutcome(effect, { ...replayed, classOf: () => 'pure' })).toBeUndefined();
    expect(recordedOutcome(effect, { ...replayed, classOf: () => 'waits' })).toBeUndefined();
  });

  it('is no end of children: those are the source’s', () => {
    const effect: Effect = { kind: 'end-children', childRunIds: ['c'] };
    expect(recordedOutcome(effect, replayed)).toEqual({ kind: 'children-ended' });
  });

  it('of a node that the definition does not have fails as well', () => {
    const effect: Effect = { kind: 'perform', nodeId: 'gone', typeId: 'vendor.mail', attempt: 0 };
    expect(recordedOutcome(effect, replayed)).toMatchObject({ kind: 'not-performed' });
  });
});
