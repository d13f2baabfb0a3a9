import { EVENT_PAYLOAD_SCHEMAS } from '@palimpsest/contracts';
import { eventDetails } from './event-details.js';

const SECRET = 'a zebra in the engine room';
const error = { code: 'envelope_refusal', message: SECRET, details: { text: SECRET } };
const handOff = { workerId: 'report-01', parentRunId: 'run_1', childRunId: 'run_2' };
const usage = { provider: 'p', model: 'm', inputTokens: 1200, outputTokens: 34 };

describe('what a line says of an event', () => {
  it.each([
    ['run.started', { workflowId: 'incident', inputs: { text: SECRET } }, 'incident'],
    [
      'palimpsest.run.overlaid',
      {
        context: { transcriptTokenBudget: 4000, tokenCounter: 'chars', strategy: 'none' },
        configurable: { note: SECRET },
        tags: [SECRET],
        transcriptTokens: 7,
      },
      'budget 4,000 chars, none, configurable, tags',
    ],
    ['palimpsest.run.overlaid', { metadata: { note: SECRET } }, 'metadata'],
    ['run.failed', { error, failedNodeId: 'ask' }, 'envelope_refusal ask'],
    ['run.cancelled', { reason: 'parent-cancelled' }, 'parent-cancelled'],
    ['node.started', { nodeId: 'ask', typeId: 't', attempt: 1 }, 'ask'],
    ['node.completed', { nodeId: 'ask', outputs: { text: SECRET } }, 'ask'],
    ['node.failed', { nodeId: 'ask', error, attempts: 1 }, 'ask envelope_refusal'],
    ['node.retried', { nodeId: 'ask', attempt: 1, delayMs: 1, lastError: error }, 'ask envelope_refusal'],
    ['node.suspended', { nodeId: 'gate', interruptId: 'i', kind: 'approval', key: 'k' }, 'gate approval'],
    ['node.suspended', { nodeId: 'gate', kind: 'approval', reason: 'approval' }, 'gate approval'],
    ['node.resumed', { nodeId: 'gate', interruptId: 'i', resumeValue: SECRET }, 'gate'],
    ['node.skipped', { nodeId: 'gate', reason: 'loop-ended' }, 'gate loop-ended'],
    ['interrupt.requested', { kind: 'clarification', key: 'k', data: { q: SECRET } }, 'clarification n'],
    ['interrupt.resolved', { nodeId: 'gate', kind: 'approval', resumeValue: SECRET }, 'approval gate'],
    ['approval.received', { nodeId: 'gate', action: 'accept' }, 'accept gate'],
    ['clarification.resolved', { nodeId: 'gate', answers: { q: SECRET } }, 'gate'],
    ['cap.breached', { kind: 'loop-iterations', limit: 50, observed: 51 }, 'loop-iterations 51/50'],
    ['provider.usage', { ...usage, nodeId: 'ask' }, '1,200 in, 34 out ask'],
    [
      'core.workflowChain.event',
      { phase: 'child.failed', ...handOff, error },
      'child.failed report-01 envelope_refusal',
    ],
    ['variable.changed', { name: 'report', next: SECRET }, 'report'],
    ['palimpsest.worker.returned', { ...handOff, artifactId: 'a' }, 'report-01'],
    ['palimpsest.pin.added', { pinId: 'pin_a', artifactId: 'a' }, 'pin_a'],
    ['palimpsest.pin.added', { pinId: 'pin_a', artifactId: 'a', pinnedEventId: 'evt-1' }, 'pin_a of evt-1'],
    ['palimpsest.pin.removed', { pinId: 'pin_a' }, 'pin_a'],
    [
      'context.summarized',
      { iteration: 3, replacedTurns: ['a', 'b'], tokensBefore: 4000, tokensAfter: 900 },
      'window 3: 2 entries, 4,000 → 900 tokens',
    ],
  ])('%s %j: %s', (type, payload, expected) => {
    expect(eventDetails({ type, payload, nodeId: 'n' })).toBe(expected);
  });

  it.each([
    [{ kind: 'next-worker', nextWorkerIds: ['a', 'b'] }, 'turn 2: next-worker a,b'],
    [{ kind: 'ask-user', prompt: SECRET }, 'turn 2: ask-user'],
    [{ kind: 'terminate', reason: SECRET }, 'turn 2: terminate'],
  ])('of the decision %j: %s', (decision, expected) => {
    const payload = { agentId: 'abc', iteration: 2, decision };
    expect(eventDetails({ type: 'runOrchestrator.decided', payload })).toBe(expected);
  });

  it('is said of every type that has more to say than its name, whatever its payload holds', () => {
    const silent = Object.keys(EVENT_PAYLOAD_SCHEMAS).filter(
      (type) => eventDetails({ type, nodeId: 'n', payload: { reason: 'r', error } }) === '',
    );
    expect(silent).toEqual(['run.completed']);
    expect(eventDetails({ type: 'of.later', payload: {} })).toBe('');
  });
});
