import {
  INSTRUCTION_ADDED,
  MESSAGE_APPENDED,
  type AppendMessages,
  type CreateRun,
  type MessageDraft,
  type OwnLoopState,
  type PlacedEvent,
} from '@palimpsest/contracts';
import { specificationOf } from '@palimpsest/kernel/testing';
import type { OwnLoopCommand } from './own-loop.commands.js';
import { ownLoopDecider } from './own-loop.decider.js';
import { MAX_OPEN_CALLS, MAX_OPEN_CALL_TEXT } from './place-messages.js';

const key = { tenantId: 'acme', runId: 'run-1' };
const context = {
  transcriptTokenBudget: 400,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'sliding-window',
} as const;
const artifactId = `art_${'a'.repeat(32)}`;
const counts = { o200k_base: 3, cl100k_base: 4, chars: 10 };

const { given, givenState } = specificationOf(ownLoopDecider);

const create: CreateRun = { ...key, workflowId: 'palimpsest-external', context };
const started: PlacedEvent = {
  type: 'run.started',
  payload: {
    workflowId: 'palimpsest-external',
    inputs: {},
    transport: 'rest',
    owner: { tenant: 'acme' },
    configurable: { context },
  },
  schemaVersion: 1,
  sequence: 0,
};

function draft(role: MessageDraft['role'], ...toolCallIds: string[]): MessageDraft {
  return { role, artifactId, toolCallIds, counts, repaired: false };
}

function append(messages: MessageDraft[], expectedSequence?: number): OwnLoopCommand {
  const command: AppendMessages = { ...key, messages };
  return { kind: 'append-messages', ...command, ...(expectedSequence !== undefined && { expectedSequence }) };
}

function appended(sequence: number, role: string, toolCallIds: string[] = []): PlacedEvent {
  const payload = { role, artifactId, toolCallIds };
  return { type: MESSAGE_APPENDED, payload, schemaVersion: 1, counts, sequence };
}

const windowPlanned = (sequence: number): PlacedEvent => ({
  type: 'palimpsest.window.planned',
  payload: {},
  schemaVersion: 1,
  sequence,
});
const completed = (sequence: number): PlacedEvent => ({
  type: 'run.completed',
  payload: { outputs: {} },
  schemaVersion: 1,
  sequence,
});

describe('creating a run', () => {
  it('starts its log', () => {
    given()
      .when({ kind: 'create-run', ...create })
      .then(started);
  });

  it('records what the caller gave beside the context, and the settings under configurable', () => {
    given()
      .when({
        kind: 'create-run',
        ...create,
        inputs: { goal: 1 },
        tags: ['t'],
        metadata: { team: 'x' },
        configurable: { other: true, context: { keepLastTurns: 2 } },
      })
      .thenMatches({
        payload: {
          inputs: { goal: 1 },
          tags: ['t'],
          metadata: { team: 'x' },
          configurable: { other: true, context },
        },
      });
  });

  it('records how the run will be derived, and keeps it in its state', () => {
    const flagged = { ...started, payload: { ...started.payload, replayFlags: [1] } };
    given()
      .when({ kind: 'create-run', ...create, replayFlags: [1] })
      .then(flagged);
    const run = ownLoopDecider.evolve(ownLoopDecider.initialState, flagged);
    expect(run).toMatchObject({ status: 'active', loop: { replayFlags: [1] } });
  });

  it('is refused where the run exists', () => {
    given(started)
      .when({ kind: 'create-run', ...create })
      .thenRefuses({ code: 'sequence_conflict' });
  });
});

describe('appending messages', () => {
  it('is refused without a run', () => {
    given()
      .when(append([draft('user')]))
      .thenRefuses({ code: 'not_found' });
  });

  it('keeps system messages outside the transcript', () => {
    given(started)
      .when(append([draft('system'), draft('user')]))
      .then(
        {
          type: INSTRUCTION_ADDED,
          payload: { role: 'system', artifactId },
          schemaVersion: 1,
          counts,
          sequence: 1,
        },
        appended(2, 'user'),
      );
  });

  it('flags repaired text', () => {
    given(started)
      .when(append([{ ...draft('user'), repaired: true }]))
      .thenMatches({ payload: { repaired: true } });
  });

  it('pairs a result with its call, in the same request and in a later one', () => {
    given(started)
      .when(append([draft('assistant', 'a', 'b'), draft('tool', 'b'), draft('tool', 'a')]))
      .thenMatches({}, { causationId: 'evt-run-1-1' }, { causationId: 'evt-run-1-1' });
    given(started, appended(1, 'assistant', ['a']), windowPlanned(2))
      .when(append([draft('tool', 'a')]))
      .then({ ...appended(3, 'tool', ['a']), causationId: 'evt-run-1-1' });
  });

  it('pairs a result with the latest call where an id returned', () => {
    given(
      started,
      appended(1, 'assistant', ['a']),
      appended(2, 'tool', ['a']),
      appended(3, 'assistant', ['a']),
    )
      .when(append([draft('tool', 'a')]))
      .thenMatches({ causationId: 'evt-run-1-3' });
  });

  it.each([
    ['no call at all', [draft('user'), draft('tool', 'a')], 'messages.1'],
    [
      'a call that is answered',
      [draft('assistant', 'a'), draft('tool', 'a'), draft('tool', 'a')],
      'messages.2',
    ],
    ['a call that comes later', [draft('tool', 'a'), draft('assistant', 'a')], 'messages.0'],
    ['a name every object has', [draft('tool', 'constructor')], 'messages.0'],
  ])('refuses a result for %s', (_, messages, field) => {
    given(started)
      .when(append(messages))
      .thenRefuses({ code: 'tool_result_without_call', details: { field } });
  });

  it.each([
    ['twice in one message', [draft('assistant', 'a', 'a')], 'messages.0'],
    ['while it is open', [draft('assistant', 'a'), draft('user'), draft('assistant', 'a')], 'messages.2'],
  ])('refuses an id %s', (_, messages, field) => {
    given(started).when(append(messages)).thenRefuses({ code: 'duplicate_tool_call_id', details: { field } });
  });

  it('refuses an id that an earlier request left open', () => {
    given(started, appended(1, 'assistant', ['a']))
      .when(append([draft('assistant', 'a')]))
      .thenRefuses({ code: 'duplicate_tool_call_id', details: { field: 'messages.0' } });
  });

  it.each([
    ['a user message with call ids', draft('user', 'a')],
    ['a system message with call ids', draft('system', 'a')],
    ['a result without an id', draft('tool')],
    ['a result with two ids', draft('tool', 'a', 'b')],
  ])('refuses %s', (_, message) => {
    given(started, appended(1, 'assistant', ['a', 'b']))
      .when(append([message]))
      .thenRefuses({ code: 'validation_error', details: { field: 'messages.0.toolCallIds' } });
  });

  it('bounds the calls that wait, by number and by text', () => {
    const ids = (count: number, length: number) =>
      Array.from({ length: count }, (_, index) => String(index).padStart(length, 'c'));
    given(started)
      .when(append([draft('assistant', ...ids(MAX_OPEN_CALLS, 8))]))
      .thenMatches({});
    given(started)
      .when(append([draft('assistant', ...ids(MAX_OPEN_CALLS + 1, 8))]))
      .thenRefuses({ code: 'validation_error' });
    given(started)
      .when(append([draft('assistant', ...ids(MAX_OPEN_CALL_TEXT / 256 + 1, 256))]))
      .thenRefuses({ code: 'validation_error' });
  });
});

describe('expectedSequence', () => {
  const history = [started, appended(1, 'user'), windowPlanned(2)];

  it('is the last message event, whatever stands after it', () => {
    given(...history)
      .when(append([draft('user')], 1))
      .then(appended(3, 'user'));
  });

  it('is −1 before the first message', () => {
    given(started)
      .when(append([draft('user')], -1))
      .then(appended(1, 'user'));
  });

  it('counts instructions as messages', () => {
    given(started, {
      type: INSTRUCTION_ADDED,
      payload: { role: 'system', artifactId },
      schemaVersion: 1,
      counts,
      sequence: 1,
    })
      .when(append([draft('user')], 1))
      .thenMatches({ sequence: 2 });
  });

  it.each([-1, 0, 2, 3])('refuses %i', (expected) => {
    given(...history)
      .when(append([draft('user')], expected))
      .thenRefuses({
        code: 'sequence_conflict',
        details: { runId: 'run-1', expectedSequence: expected, actualSequence: 1 },
      });
  });
});

describe('the end of a run', () => {
  it('is recorded once', () => {
    given(started, appended(1, 'assistant', ['open']))
      .when({ kind: 'finish-run', ...key })
      .then(completed(2));
    given(started, completed(1))
      .when({ kind: 'finish-run', ...key })
      .thenRefuses({ code: 'run_not_active', details: { runId: 'run-1', runStatus: 'completed' } });
  });

  it('ends the turns', () => {
    given(started, completed(1))
      .when(append([draft('user')]))
      .thenRefuses({ code: 'run_not_active' });
  });

  it('needs a run', () => {
    given()
      .when({ kind: 'finish-run', ...key })
      .thenRefuses({ code: 'not_found' });
  });
});

describe('cancelling a run', () => {
  const cancel: OwnLoopCommand = { kind: 'cancel-run', ...key };

  it('is recorded with what was said about it', () => {
    given(started, appended(1, 'assistant', ['open']))
      .when({ ...cancel, reason: 'r', cancelledBy: 'key-1', parentRunId: 'run-0' })
      .then({
        type: 'run.cancelled',
        payload: { reason: 'r', cancelledBy: 'key-1', parentRunId: 'run-0' },
        schemaVersion: 1,
        sequence: 2,
      });
    given(started).when(cancel).thenMatches({ payload: {} });
  });

  it('changes nothing once it has ended', () => {
    given(started, completed(1)).when(cancel).then();
    const cancelled: PlacedEvent = { type: 'run.cancelled', payload: {}, schemaVersion: 1, sequence: 1 };
    given(started, cancelled).when(cancel).then();
    given(started, cancelled)
      .when(append([draft('user')]))
      .thenRefuses({ code: 'run_not_active', details: { runId: 'run-1', runStatus: 'cancelled' } });
  });

  it('is refused on a replay that is not complete, and without a run', () => {
    const replay = { status: 'closed', head: 3, runStatus: 'running', isReplay: true } as const;
    givenState({ ...replay, isComplete: false })
      .when(cancel)
      .thenRefuses({ code: 'run_not_active' });
    givenState({ ...replay, isComplete: true })
      .when(cancel)
      .thenMatches({ type: 'run.cancelled', sequence: 4 });
    given().when(cancel).thenRefuses({ code: 'not_found' });
  });
});

describe('the state', () => {
  it('counts what was said in the unit of the run, and keeps the open calls', () => {
    const run = [
      started,
      appended(1, 'user'),
      appended(2, 'assistant', ['a', 'b']),
      appended(3, 'tool', ['a']),
    ].reduce(ownLoopDecider.evolve, ownLoopDecider.initialState);
    const loop: OwnLoopState = {
      context,
      configurable: { context },
      lastMessageSequence: 3,
      messageCount: 3,
      openCalls: { b: 2 },
      transcriptTokens: 30,
      instructionTokens: 0,
    };
    expect(run).toEqual({ status: 'active', head: 3, loop });
  });

  it('takes no turns where the run is closed', () => {
    givenState({ status: 'closed', head: 4, runStatus: 'running', isReplay: true, isComplete: true })
      .when(append([draft('user')]))
      .thenRefuses({ code: 'run_not_active', details: { runId: 'run-1', runStatus: 'running' } });
  });
});
