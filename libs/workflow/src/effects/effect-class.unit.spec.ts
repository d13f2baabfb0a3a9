import { NODE_TYPES } from '../node-types/node-types.js';
import { effectClassOf } from './effect-class.js';

describe('what a replay does about a node', () => {
  it.each([
    ['pure', ['core.noop', 'core.identity', 'core.fail']],
    ['waits', ['core.delay', 'core.approvalGate', 'core.clarificationGate', 'core.interrupt']],
    [
      'recorded',
      [
        'core.orchestrator.supervisor',
        'core.dispatch',
        'core.ai.structuredOutput',
        'core.ai.callPrompt',
        'core.conformance.side-effect',
      ],
    ],
  ] as const)('is decided before: %s', (expected, types) => {
    expect(NODE_TYPES.filter((type) => effectClassOf(type) === expected)).toEqual(types);
  });

  it.each(['core.subWorkflow', 'vendor.mail', '', 'constructor', '__proto__'])(
    'is to suspect effects of a type that nobody has classified: %j',
    (type) => expect(effectClassOf(type)).toBe('recorded'),
  );
});
