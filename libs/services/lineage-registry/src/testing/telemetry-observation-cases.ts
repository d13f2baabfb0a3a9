import type { Facts } from '@palimpsest/context-efficiency';
import type { DecidedTelemetry } from '../domain/workgroup/decision.js';
import { listed, type TelemetryCase } from './telemetry-case.js';
import { billedTokens, dispatchDecision, efficiencyEvent } from './telemetry-events.js';

const CORPUS = 'anon-0000000000000000';
const NOTHING_KNOWN = {
  mode: null,
  billed: { known: 0, meanAmount: null, currency: null, meanTokens: null },
  rediscovery: { known: 0, meanRepeatedFileReads: null },
  latency: { known: 0, meanElapsedMs: null },
};

const amount = (value: number, currency: string | null): Facts => ({
  billed: { amount: value, currency, accounting_source: 'authoritative' },
});
const tokens = (...counts: Parameters<typeof billedTokens>): Facts => ({ billed: billedTokens(...counts) });

/** What `observed` makes of events. Means are halves and quarters: every way of adding gives the same. */
export function observationCases(open: () => TelemetryCase): void {
  const observedOf = async (...events: readonly Facts[]) => {
    const { store, tenantId } = open();
    const entries = events.map((facts, place) => ({ id: `e${place}`, event: efficiencyEvent(facts) }));
    if (entries.length > 0) await store.record(tenantId, 'test', entries);
    return store.observed(tenantId, 'test', null);
  };
  const billedOf = async (...events: readonly Facts[]) => (await observedOf(...events))[0]?.billed;

  it('observes nothing where there is nothing', async () => {
    expect(await observedOf()).toEqual([]);
  });

  it('knows no figure that no event knows, and makes no figure of logical sizes', async () => {
    const logical = {
      estimated_context_occupancy: 0.5,
      compaction_count: 3,
      prompt_bytes: 9000,
      tool_output_bytes: 100,
      capsule_bytes: 20,
    };
    expect(await observedOf({ logical }, {})).toEqual([{ ...NOTHING_KNOWN, events: 2 }]);
  });

  it('counts by mode, those without one last', async () => {
    const events = [{}, { mode: 'resume' }, { mode: 'local' }, { mode: 'resume' }];
    expect((await observedOf(...events)).map(({ mode, events: count }) => [mode, count])).toEqual([
      ['local', 1],
      ['resume', 2],
      [null, 1],
    ]);
  });

  it('means over what is known: an unknown figure is no zero, and a zero is one', async () => {
    const [observed] = await observedOf(
      { logical: { repeated_file_reads: 0 }, outcome: { elapsed_ms: 0 } },
      { logical: { repeated_file_reads: 3 } },
      { outcome: { elapsed_ms: 250 } },
      { outcome: { elapsed_ms: 500 } },
      {},
    );
    expect(observed).toMatchObject({
      events: 5,
      rediscovery: { known: 2, meanRepeatedFileReads: 1.5 },
      latency: { known: 3, meanElapsedMs: 250 },
    });
  });

  it('means amounts of one named currency', async () => {
    expect(await billedOf(amount(1, 'EUR'), amount(2.5, 'EUR'), {})).toEqual({
      known: 2,
      meanAmount: 1.75,
      currency: 'EUR',
      meanTokens: null,
    });
  });

  it('means an amount of nothing as nothing', async () => {
    expect(await billedOf(amount(0, 'EUR'))).toMatchObject({ known: 1, meanAmount: 0, currency: 'EUR' });
  });

  it.each([
    ['of two currencies', amount(1, 'EUR'), amount(2, 'USD')],
    ['of one without a currency', amount(1, 'EUR'), amount(2, null)],
    ['without a currency at all', amount(1, null), amount(2, null)],
  ])('means no amounts %s', async (_name, one, other) => {
    const unknown = { known: 2, meanAmount: null, currency: null, meanTokens: null };
    expect(await billedOf(one, other)).toEqual(unknown);
  });

  it('takes no currency from an event without an amount', async () => {
    const currencyAlone = { billed: { currency: 'USD', accounting_source: 'authoritative' } };
    expect(await billedOf(amount(3, 'EUR'), currencyAlone)).toMatchObject({ meanAmount: 3, currency: 'EUR' });
  });

  it('adds the four token counts of an event where all are known', async () => {
    const partly = { billed: { output_tokens: 1000, accounting_source: 'provider-reported' } };
    expect(await billedOf(tokens(1, 2, 4, 8), tokens(0, 0, 0, 0), partly)).toEqual({
      known: 2,
      meanAmount: null,
      currency: null,
      meanTokens: 7.5,
    });
  });

  const observe = async (since: string | null = null, environment = 'test') => {
    const { store, tenantId } = open();
    const observed = await store.observed(tenantId, environment, since);
    return observed.map(({ mode, events }) => [mode, events]);
  };
  const decide = (...rows: readonly Partial<DecidedTelemetry>[]) => {
    const given = open();
    const base = { environment: 'test', family: 'capsules', rolloutVersion: 1, event: dispatchDecision() };
    const told = rows.map((row, place) => ({ ...base, id: `d${place}`, ...row }));
    return given.decide(given.tenantId, told);
  };
  const record = (facts: Facts, { id = 'w', environment = 'test' } = {}) => {
    const { store, tenantId } = open();
    return store.record(tenantId, environment, [{ id, event: efficiencyEvent(facts) }]);
  };

  it('observes all of an environment, whichever family decided, and nothing of another', async () => {
    await record({ mode: 'local' });
    await decide({ family: 'capsules' }, { family: 'lineage-reuse' });
    expect(await observe()).toEqual([['local', 3]]);
    expect(await observe(null, 'production')).toEqual([]);
  });

  it('observes what is done, not what was only recommended', async () => {
    const event = dispatchDecision({ mode: 'resume', task_corpus_id: CORPUS });
    await decide({}, { event, isRecommendation: true });
    await record({ task_corpus_id: CORPUS });
    expect(await observe()).toEqual([
      ['local', 1],
      [null, 1],
    ]);
  });

  it('counts an event without a mode under that of the newest decision of its corpus', async () => {
    const decision = (mode: string, corpus: string | null) =>
      dispatchDecision({ mode, task_corpus_id: corpus });
    await record({ task_corpus_id: CORPUS, outcome: { elapsed_ms: 500 } });
    await decide({ id: 'first', event: decision('local', CORPUS) });
    await decide({ id: 'second', event: decision('resume', CORPUS) });
    await decide({ id: 'other', event: decision('fresh-capsule', 'anon-00000000000000ff') });
    await decide({ id: 'nobodys', event: decision('inherit-full', null) });
    await record({ task_corpus_id: CORPUS, outcome: { elapsed_ms: 250 } }, { id: 'later' });
    await record({ task_corpus_id: CORPUS, mode: 'local' }, { id: 'own-mode' });
    await record({ task_corpus_id: 'anon-00000000000000aa' }, { id: 'undecided' });
    await record({}, { id: 'no-corpus' });
    await record({ task_corpus_id: CORPUS }, { environment: 'production' });
    expect(await observe()).toEqual([
      ['fresh-capsule', 1],
      ['inherit-full', 1],
      ['local', 2],
      ['resume', 3],
      [null, 2],
    ]);
    expect(await observe(null, 'production')).toEqual([[null, 1]]);
    const { store, tenantId } = open();
    const resumed = (await store.observed(tenantId, 'test', null)).find(({ mode }) => mode === 'resume');
    expect(resumed?.latency).toEqual({ known: 2, meanElapsedMs: 375 });
  });

  it('takes a sender’s decision for one that was done, and no other event of a mode', async () => {
    await record({ task_corpus_id: CORPUS });
    await record({ task_corpus_id: CORPUS, mode: 'resume' }, { id: 'no-decision' });
    expect((await observe()).at(-1)).toEqual([null, 1]);
    const { store, tenantId } = open();
    const event = dispatchDecision({ task_corpus_id: CORPUS });
    await store.record(tenantId, 'test', [{ id: 'decision', event }]);
    expect(await observe()).toEqual([
      ['local', 2],
      ['resume', 1],
    ]);
  });

  it('observes from a time on, by when each was recorded; a decision from before gives its mode', async () => {
    await decide({
      event: dispatchDecision({ task_corpus_id: CORPUS, observed_at: '2099-01-01T00:00:00Z' }),
    });
    await record({ task_corpus_id: CORPUS, observed_at: '2001-01-01T00:00:00Z' });
    const [, worked] = await listed(open(), 2);
    const at = (milliseconds: number) =>
      new Date(Date.parse(worked?.recordedAt ?? '') + milliseconds).toISOString();
    expect((await observe(at(0))).at(-1)?.[0]).toBe('local');
    expect(await observe(at(1))).toEqual([]);
    expect(await observe('2000-01-01T00:00:00.000Z')).toEqual([['local', 2]]);
  });
}
