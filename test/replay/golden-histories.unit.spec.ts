import { EVENT_PAYLOAD_SCHEMAS, type RecordedEvent } from '@palimpsest/contracts';
import { countAll } from '@palimpsest/tokens';
import { LOOP_TURN_TYPES, renderMessage } from '@palimpsest/transcript';
import { runStatusOf } from '@palimpsest/workflow';
import { engineAgain, folded } from './engine-again.js';
import { comparable, messageOf, readHistory, type History } from './history.js';
import { windowsAgain } from './windows-again.js';

describe.each(['long-model-loop'])('the golden history %s', (name) => {
  let history: History;
  beforeAll(() => {
    history = readHistory(name);
  });

  it('is a long one, with summaries, a repair and an answer of a person', () => {
    const count = (wanted: string): number => history.events.filter(({ type }) => type === wanted).length;
    expect(count('runOrchestrator.decided')).toBeGreaterThan(20);
    expect(count('provider.usage')).toBeGreaterThan(count('runOrchestrator.decided'));
    expect(count('context.summarized')).toBeGreaterThan(5);
    expect(count('clarification.resolved')).toBe(1);
  });

  it('is dense, and holds payloads as they are specified', () => {
    const { events } = history;
    expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, place) => place));
    const problems = events.flatMap(({ type, payload }) => {
      const parsed = EVENT_PAYLOAD_SCHEMAS[type]?.safeParse(payload);
      return parsed?.success === true ? [] : [type];
    });
    expect(problems).toEqual([]);
  });

  it('is derived again by the engine, event by event', () => {
    const again = engineAgain(history);
    expect(comparable(again.events)).toEqual(comparable(history.events));
  });

  it('folds to one state, whoever folds it', () => {
    const state = folded(undefined, history.events);
    expect(engineAgain(history).state).toEqual(state);
    expect(runStatusOf(state)).toBe('completed');
  });

  it('has counts on exactly what stands in its transcript', () => {
    const counted = history.events.filter(({ counts }) => counts !== undefined);
    expect(counted.map((event) => countsAgain(history, event))).toEqual(counted.map(({ counts }) => counts));
    const turns: readonly string[] = LOOP_TURN_TYPES;
    expect(counted.filter(({ type }) => !turns.includes(type))).toEqual([]);
    const decisions = history.events.filter(({ type }) => type === 'runOrchestrator.decided');
    expect(decisions.filter(({ counts }) => counts === undefined)).toEqual([]);
  });

  it('is planned again by the assembler, window by window, and verifies', async () => {
    const { events, verification } = await windowsAgain(history);
    expect(comparable(events)).toEqual(comparable(history.events));
    const windows = history.events.filter(({ type }) => type === 'palimpsest.window.planned');
    expect(verification).toMatchObject({ ok: true, windowsChecked: windows.length });
  });
});

function countsAgain(history: History, event: RecordedEvent): RecordedEvent['counts'] {
  const message = messageOf(history, event);
  return message && countAll(renderMessage(message));
}
