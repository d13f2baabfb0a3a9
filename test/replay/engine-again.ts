import { createHash } from 'node:crypto';
import type { JsonValue, NewRunEvent, RecordedEvent, WorkflowRunState } from '@palimpsest/contracts';
import { redactJson } from '@palimpsest/transcript';
import {
  advance,
  foldWorkflowRun,
  type Advanced,
  type Effect,
  type EffectOutcome,
} from '@palimpsest/workflow';
import type { WorkflowHistory } from './history.js';

/** Recorded by the assembler and by whoever asked a model, between an effect of the engine and its outcome. */
const BESIDE = ['context.summarized', 'palimpsest.window.planned', 'provider.usage'];
/** A person's answer. */
const ANSWERED = ['interrupt.resolved', 'clarification.resolved', 'node.resumed'];

export type Again = {
  /** What the engine would have appended, at the places where it did. */
  readonly events: readonly RecordedEvent[];
  readonly state: WorkflowRunState;
};

/**
 * Has the engine decide a recorded run once more. What came from outside (windows, usage, answers of models and people, ends
 * of children) is taken from the log, everything else is derived and put at the place of what was recorded.
 */
export function engineAgain({ definition, events, returned }: WorkflowHistory): Again {
  const [started] = events;
  if (!started) throw new TypeError('The history is empty.');
  const derived: RecordedEvent[] = [started];
  let state = folded(undefined, [started]);
  let outcome: EffectOutcome | undefined;
  while (derived.length < events.length) {
    const next = events[derived.length] as RecordedEvent;
    const step = advance({
      runId: started.runId,
      definition,
      state,
      head: derived.length - 1,
      now: new Date(next.timestamp),
      childRunIdOf: (began) => childRunIdOf(started.runId, began),
      outcome,
      redact: redactJson,
    });
    const made = step.events.map((event, place) => placed(event, events[derived.length + place]));
    const beside = taken(events, derived.length + made.length, step.effect ? BESIDE : ANSWERED);
    const given = [...made, ...beside];
    outcome = step.effect && outcomeOf(step, { rest: events.slice(derived.length), returned });
    if (given.length === 0 && !outcome) throw new TypeError(`Nothing leads on from ${derived.length - 1}.`);
    derived.push(...given);
    state = folded(state, given);
  }
  return { events: derived, state };
}

/** As the orchestrator names children. */
function childRunIdOf(runId: string, began: number): string {
  return `run_${createHash('sha256').update(`${runId}:${began}`).digest('base64url')}`;
}

function placed(event: NewRunEvent, recorded: RecordedEvent | undefined): RecordedEvent {
  if (!recorded) throw new TypeError('The engine goes on where the record ends.');
  const { eventId, runId, sequence, timestamp } = recorded;
  return { eventId, runId, sequence, timestamp, ...event };
}

function taken(events: readonly RecordedEvent[], from: number, types: readonly string[]): RecordedEvent[] {
  const end = events.findIndex(({ type }, place) => place >= from && !types.includes(type));
  return events.slice(from, end === -1 ? undefined : end);
}

type Told = Pick<WorkflowHistory, 'returned'> & { readonly rest: readonly RecordedEvent[] };

function outcomeOf({ effect }: Advanced, told: Told): EffectOutcome | undefined {
  switch (effect?.kind) {
    case 'decide':
      return decided(effect, told.rest);
    case 'start-child':
      return { kind: 'child-started', childRunId: effect.childRunId };
    case 'await-child':
      return childEnded(effect.childRunId, told);
    default:
      return undefined;
  }
}

function decided(
  { iteration }: Extract<Effect, { kind: 'decide' }>,
  rest: readonly RecordedEvent[],
): EffectOutcome | undefined {
  const event = rest.find(
    ({ type, payload }) => type === 'runOrchestrator.decided' && payload['iteration'] === iteration,
  );
  if (!event) return undefined;
  const { agentId, decision } = event.payload as { readonly agentId: string; readonly decision: JsonValue };
  return { kind: 'decided', iteration, agentId, decision };
}

/** The workers of the histories return all of their variables. */
function childEnded(childRunId: string, { rest, returned }: Told): EffectOutcome {
  const recorded = rest.find(
    ({ type, payload }) => type === 'palimpsest.worker.returned' && payload['childRunId'] === childRunId,
  );
  const { payload, counts } = recorded ?? {};
  const content = counts && { returned: { artifactId: payload?.['artifactId'] as string, counts } };
  const variables = returned[childRunId] ?? {};
  return { kind: 'child-ended', childRunId, status: 'completed', variables, ...content };
}

export function folded(
  state: WorkflowRunState | undefined,
  events: readonly RecordedEvent[],
): WorkflowRunState {
  const after = events.reduce<WorkflowRunState | undefined>(foldWorkflowRun, state);
  if (!after) throw new TypeError('The history does not begin with a run.');
  return after;
}
