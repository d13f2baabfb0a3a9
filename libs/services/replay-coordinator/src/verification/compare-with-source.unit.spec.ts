import type { NewRunEvent, Verification } from '@palimpsest/contracts';
import { causeInFork } from '@palimpsest/kernel';
import { CoordinatorHarness, FORK } from '../testing/coordinator-harness.js';
import { TENANT } from '../testing/source-run.js';
import { standingOf } from '../testing/standing-of.js';

const RUN = 'executed';

/** A run without windows, of which a replay shares the first event. */
const RECORDED: readonly NewRunEvent[] = [
  { type: 'run.started', schemaVersion: 1, payload: { workflowId: 'flow' } },
  {
    type: 'runOrchestrator.decided',
    schemaVersion: 1,
    nodeId: 'supervisor',
    payload: { decision: { kind: 'dispatch' }, iteration: 'first' },
    counts: { o200k_base: 1, cl100k_base: 2, chars: 3 },
    causationId: `evt-${RUN}-0`,
  },
  { type: 'node.completed', schemaVersion: 1, nodeId: 'worker', payload: { outputs: { a: 1 } } },
  {
    type: 'palimpsest.message.appended',
    schemaVersion: 1,
    payload: { role: 'user', artifactId: 'said', toolCallIds: [] },
    causationId: `evt-${RUN}-2`,
  },
];
const LAST = RECORDED.length - 1;

const REPEATED = RECORDED.slice(1).map(({ causationId, ...event }): NewRunEvent => ({
  ...event,
  ...(causationId !== undefined && { causationId: causeInFork(causationId, RUN, FORK) }),
}));

function changed(sequence: number, change: Partial<NewRunEvent>): readonly NewRunEvent[] {
  return REPEATED.map((event, place) => (place === sequence - 1 ? { ...event, ...change } : event));
}

/** The log makes its chain of whatever is appended: nothing but the source shows that it is not what was to be repeated. */
async function verificationOf(events: readonly NewRunEvent[], replayTarget = LAST): Promise<Verification> {
  const harness = new CoordinatorHarness();
  const { eventLog, now: at } = harness;
  const start = { tenantId: TENANT, at, workflowId: 'flow' };
  await eventLog.append({ ...start, runId: RUN, expectedHead: 'no-run', events: RECORDED });
  const header = standingOf('flow', [...RECORDED.slice(0, 1), ...events], { at, before: { replayTarget } });
  const origin = { runId: RUN, fromSequence: 1, mode: 'replay' } as const;
  const state = { replayTarget };
  await eventLog.fork({ ...start, runId: FORK, origin, status: 'completed', state });
  await eventLog.append({ ...start, runId: FORK, expectedHead: 0, events, header });
  const verification = (await harness.coordinator().verify(FORK)) as unknown as Verification;
  expect(verification.log?.chain).toBe('whole');
  return verification;
}

const SAYS = 'it says something else than the source’s';

describe('a replay beside its source', () => {
  it('is compared event by event, of any type, up to where it repeats it', async () => {
    const compared = { runId: RUN, sharedEvents: 1, events: LAST, windows: 0, summaries: 0 };
    expect(await verificationOf(REPEATED)).toMatchObject({ ok: true, comparedWith: compared });
    const diverged = { type: 'replay.diverged', schemaVersion: 1, payload: {} };
    const ownEnd = changed(LAST, diverged);
    expect(await verificationOf(ownEnd, LAST - 1)).toMatchObject({
      ok: true,
      comparedWith: { ...compared, events: LAST - 1 },
    });
  });

  it.each<[string, readonly NewRunEvent[], number, string]>([
    ['another decision', changed(1, { payload: { decision: { kind: 'terminate' } } }), 1, SAYS],
    ['another end of a node', changed(2, { payload: { outputs: { a: 2 } } }), 2, SAYS],
    ['another message', changed(3, { payload: { role: 'user', artifactId: 'unsaid' } }), 3, SAYS],
    ['other counts', changed(1, { counts: { o200k_base: 1, cl100k_base: 2, chars: 4 } }), 1, SAYS],
    ['another type', changed(2, { type: 'node.failed' }), 2, 'it is of another type than the source’s'],
    ['another node', changed(2, { nodeId: 'other' }), 2, 'it is of another node than the source’s'],
    ['another version', changed(2, { schemaVersion: 2 }), 2, 'it is of another version than the source’s'],
    [
      'another cause',
      changed(3, { causationId: `evt-${FORK}-1` }),
      3,
      'it has another cause than the source’s',
    ],
  ])('is found to have recorded %s', async (_, events, sequence, what) => {
    expect(await verificationOf(events)).toMatchObject({
      ok: false,
      firstDifference: { sequence, what },
      comparedWith: { events: sequence - 1 },
    });
  });

  it('is found to have an event more than its source', async () => {
    const more = [...REPEATED, { type: 'test.noted', schemaVersion: 1, payload: {} }];
    expect(await verificationOf(more, LAST + 1)).toMatchObject({
      firstDifference: { sequence: LAST + 1, what: 'an event that the source does not have' },
    });
  });
});
