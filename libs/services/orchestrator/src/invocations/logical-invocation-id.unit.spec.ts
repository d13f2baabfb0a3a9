import { logicalInvocationId } from './logical-invocation-id.js';

const first = {
  tenantId: 't1',
  runId: 'run-1',
  nodeId: 'supervisor',
  ordinal: 0,
  providerKey: 'openai:chat',
};

describe('the id of an invocation', () => {
  it('is that of the specification', () => {
    expect(logicalInvocationId(first)).toBe('Nh8gQ9vkkl1zbxSyzLGG6I8S8Ddr-KuZ1DZWoVGSm2g');
  });

  it.each([
    { tenantId: 't2' },
    { runId: 'run-2' },
    { nodeId: 'other' },
    { ordinal: 1 },
    { providerKey: 'openai:other' },
  ])('is another one with %j', (change) => {
    expect(logicalInvocationId({ ...first, ...change })).not.toBe(logicalInvocationId(first));
  });
});
