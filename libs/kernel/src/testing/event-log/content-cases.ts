import type { NewRunEvent } from '@palimpsest/contracts';
import type { AppendRequest } from '../../ports/event-log.js';
import { AT, extend, noted, notes, readWhole, startRun, type OpenCase } from './harness.js';

const EXACT: Record<string, NewRunEvent['payload'][string]> = {
  'largest safe integer': Number.MAX_SAFE_INTEGER,
  'number with an exponent': 1e21,
  'tiny number': -5e-324,
  'largest number': Number.MAX_VALUE,
  fraction: 0.1,
  'spelling of an escape': 'a \\u0000 b \\\\u0000 \\ud800',
  'control characters': '\u0001\u001f\u007f\u2028\u2029',
  emoji: '👩‍👩‍👧 𝒳 \uffff',
  empty: { '': [{}, [], ''] },
  'odd keys': { 'a.b': 1, $1: 2, "it's": 3, ключ: 4 },
};

const UNSTORABLE: Record<string, Pick<Partial<AppendRequest>, 'events' | 'header' | 'commandId'>> = {
  'NUL in a value': { events: [noted({ deep: ['a\u0000b'] })] },
  'NUL in a key': { events: [noted({ 'a\u0000b': 1 })] },
  'NUL behind a backslash': { events: [noted('\\\u0000')] },
  'a lone high surrogate': { events: [noted('a\ud83d')] },
  'a lone low surrogate': { events: [noted('\ude00a')] },
  'reversed surrogates': { events: [noted('\ude00\ud83d')] },
  'NUL in a type': { events: [noted(1, { type: 'a\u0000b' })] },
  'NUL in a node': { events: [noted(1, { nodeId: 'a\u0000b' })] },
  'a lone surrogate in a cause': { events: [noted(1, { causationId: '\ud83d' })] },
  'NUL in a state': { header: { state: { a: '\u0000' } } },
  'a lone surrogate in a command': { commandId: 'c\ud83d' },
  'only the last event wrong': { events: [noted(1), noted('\u0000')] },
  'no events': { events: [] },
};

export function contentCases(open: OpenCase): void {
  it.each(Object.keys(EXACT))('keeps a payload exactly: %s', async (name) => {
    const testCase = open();
    const note = EXACT[name] ?? null;
    await startRun(testCase, { runId: 'run', events: [noted(note)], header: { state: { note } } });
    expect(await notes(testCase, { runId: 'run' })).toEqual([note]);
    expect((await testCase.log.header(testCase.tenantId, 'run'))?.state).toEqual({ note });
  });

  it('is not touched by what callers do with their objects', async () => {
    const testCase = open();
    const payload = { note: ['kept'] };
    await startRun(testCase, { runId: 'run', events: [noted(0, { payload })] });
    payload.note.push('smuggled');
    const [event] = await readWhole(testCase, { runId: 'run' });
    Object.assign(event?.payload ?? {}, { note: 'smuggled' });
    expect(await notes(testCase, { runId: 'run' })).toEqual([['kept']]);
  });

  it.each(Object.keys(UNSTORABLE))('refuses what no store keeps, and writes nothing: %s', async (name) => {
    const testCase = open();
    const refusal = { code: 'validation_error', retryable: false };
    await expect(startRun(testCase, { runId: 'new', ...UNSTORABLE[name] })).rejects.toMatchObject(refusal);
    expect(await testCase.log.header(testCase.tenantId, 'new')).toBeUndefined();
    await startRun(testCase, { runId: 'run' });
    await expect(
      extend(testCase, { runId: 'run', expectedHead: 0, ...UNSTORABLE[name] }),
    ).rejects.toMatchObject(refusal);
    expect(await notes(testCase, { runId: 'run' })).toEqual([0]);
  });

  it('refuses a new run without a workflow', async () => {
    const { log, tenantId } = open();
    await expect(
      log.append({ tenantId, runId: 'run', expectedHead: 'no-run', events: [noted(0)], at: AT }),
    ).rejects.toMatchObject({ code: 'validation_error' });
  });
}
