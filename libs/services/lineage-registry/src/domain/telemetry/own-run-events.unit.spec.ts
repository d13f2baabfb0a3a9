import type { ProviderUsage } from '@palimpsest/contracts';
import { budgetTransition, elapsedOf, workerCompleted, workerUsage, type RunEnd } from './own-run-events.js';
import { corpusOf, modelNameOf, providerNameOf } from './public-names.js';

const TOLD = { tenantId: 'acme', runId: 'run-1', timestamp: '2026-03-04T05:06:07.089Z' };
const SETTINGS = {
  transcriptTokenBudget: 1000,
  tokenCounter: 'chars',
  keepLastTurns: 2,
  strategy: 'none',
} as const;
const USAGE: ProviderUsage = {
  provider: 'anthropic',
  model: 'claude-opus-4-1',
  inputTokens: 10,
  outputTokens: 7,
};

const windowOf = (tokenCount: number, tokenCounter: 'chars' | 'o200k_base' = 'chars') => ({
  tokenCount,
  tokenCounter,
});

describe('a call of a model', () => {
  it('is the usage that its provider reported, and nothing else', () => {
    const usage = { ...USAGE, cacheReadTokens: 3, cacheWriteTokens: 2 };
    expect(workerUsage(TOLD, usage)).toEqual({
      schema: 'knowzcode.efficiency-event/v1',
      event: 'worker_usage',
      observed_at: TOLD.timestamp,
      task_corpus_id: 'anon-865eaba9b6319fbf5cc30185221d9eb6',
      provider: 'claude',
      runtime: 'api',
      model: 'opus',
      profile: null,
      mode: null,
      reason_codes: [],
      logical: {
        estimated_context_occupancy: null,
        compaction_count: null,
        repeated_file_reads: null,
        prompt_bytes: null,
        tool_output_bytes: null,
        capsule_bytes: null,
      },
      billed: {
        uncached_input_tokens: 5,
        cache_creation_input_tokens: 2,
        cache_read_input_tokens: 3,
        output_tokens: 7,
        amount: null,
        currency: null,
        units: null,
        accounting_source: 'provider-reported',
      },
      outcome: {
        accepted_workgroup: null,
        verify_passed: null,
        verify_total: null,
        audit_score: null,
        rework_rounds: null,
        escaped_high_critical: null,
        elapsed_ms: null,
      },
    });
  });

  it.each<[string, Partial<ProviderUsage>, readonly unknown[]]>([
    ['no cached part', {}, [null, null, null]],
    ['what was read only', { cacheReadTokens: 4 }, [null, null, 4]],
    ['what was written only', { cacheWriteTokens: 4 }, [null, 4, null]],
    ['both parts as zero', { cacheReadTokens: 0, cacheWriteTokens: 0 }, [10, 0, 0]],
    ['parts that leave one', { cacheReadTokens: 4, cacheWriteTokens: 5 }, [1, 5, 4]],
    ['parts that leave nothing', { cacheReadTokens: 4, cacheWriteTokens: 6 }, [0, 6, 4]],
    ['parts that are one more than all', { cacheReadTokens: 4, cacheWriteTokens: 7 }, [null, 7, 4]],
  ])('whose provider told %s', (_name, told, [uncached, created, read]) => {
    expect(workerUsage(TOLD, { ...USAGE, ...told }).billed).toMatchObject({
      uncached_input_tokens: uncached,
      cache_creation_input_tokens: created,
      cache_read_input_tokens: read,
      output_tokens: 7,
    });
  });

  it('costs what nobody vouches for: an estimate is no amount', () => {
    const estimated = { ...USAGE, costEstimateUsd: 0.25, currency: 'USD' };
    expect(workerUsage(TOLD, estimated).billed).toMatchObject({ amount: null, currency: null });
  });

  it('that put nothing out put out zero', () => {
    expect(workerUsage(TOLD, { ...USAGE, outputTokens: 0 }).billed['output_tokens']).toBe(0);
  });
});

describe('public names', () => {
  it.each([
    ['anthropic', 'claude'],
    ['claude', 'claude'],
    ['openai', 'codex'],
    ['codex', 'codex'],
    ['openai-compatible', 'other'],
    ['Anthropic', 'other'],
    ['conformance', 'other'],
    ['constructor', 'other'],
  ])('of the provider %s', (provider, name) => expect(providerNameOf(provider)).toBe(name));

  it.each([
    ['opus', 'opus'],
    ['fable', 'fable'],
    ['claude-opus-4-1', 'opus'],
    ['claude-opus-4-1-20250805', 'opus'],
    ['claude-3-5-haiku-20241022', 'haiku'],
    ['claude-3-haiku-20240307', 'haiku'],
    ['claude-sonnet-4-5-latest', 'sonnet'],
    ['gpt-5', 'gpt-5'],
    ['gpt-5-2025-08-07', 'gpt-5'],
    ['gpt-5.6-sol', 'gpt-5.6-sol'],
    ['gpt-5.6-terra', 'gpt-5.6-terra'],
  ])('of the model %s', (model, name) => expect(modelNameOf(model)).toBe(name));

  it.each([
    'claude-opus-of-ada',
    'my-opus',
    'opus2',
    'gpt-5-mini',
    'gpt-5.6',
    'claude',
    'unknown',
    'GPT-5',
    '',
  ])('of the model "%s" are a pseudonym', (model) =>
    expect(modelNameOf(model)).toMatch(/^anon-model-[0-9a-f]{32}$/),
  );

  it('are one pseudonym for one model, and one corpus for one run', () => {
    expect(modelNameOf('gpt-5-mini')).toBe(modelNameOf('gpt-5-mini'));
    expect(modelNameOf('gpt-5-mini')).not.toBe(modelNameOf('gpt-5-nano'));
    const corpora = [TOLD, { ...TOLD, runId: 'run-2' }, { ...TOLD, tenantId: 'acme2' }].map(corpusOf);
    expect(new Set(corpora).size).toBe(3);
    for (const corpus of corpora) expect(corpus).toMatch(/^anon-[0-9a-f]{32}$/);
  });
});

describe('a compaction', () => {
  it.each([
    ['an empty one', windowOf(0), 0],
    ['one below full', windowOf(999), 0.999],
    ['a full one', windowOf(1000), 1],
    ['one over full', windowOf(1001), 1.001],
    ['one counted in another unit', windowOf(10, 'o200k_base'), null],
    ['an unknown one', undefined, null],
  ])('with the window it is recorded with: %s', (_name, window, occupancy) => {
    const event = budgetTransition(TOLD, SETTINGS, window);
    expect(event.event).toBe('budget_transition');
    expect(event.logical).toMatchObject({ estimated_context_occupancy: occupancy, compaction_count: 1 });
    expect(event.billed['accounting_source']).toBe('unknown');
  });

  it('of a run whose budget is not known', () => {
    expect(budgetTransition(TOLD, undefined, windowOf(5)).logical['estimated_context_occupancy']).toBeNull();
  });
});

describe('the end of a run', () => {
  const end: RunEnd = {
    settings: SETTINGS,
    window: windowOf(250),
    workedMs: 1000,
  };

  it('says how full its window was and how long it took, and counts no compaction again', () => {
    const { event, logical, outcome, billed } = workerCompleted(TOLD, end);
    expect(event).toBe('worker_completed');
    expect(logical).toEqual({
      estimated_context_occupancy: 0.25,
      compaction_count: null,
      repeated_file_reads: null,
      prompt_bytes: null,
      tool_output_bytes: null,
      capsule_bytes: null,
    });
    expect(outcome).toMatchObject({ elapsed_ms: 1000, accepted_workgroup: null, verify_passed: null });
    expect(billed).toMatchObject({ output_tokens: null, accounting_source: 'unknown' });
  });

  it('knows nothing of windows where there was none', () => {
    const without = workerCompleted(TOLD, { ...end, window: undefined });
    expect(without.logical['estimated_context_occupancy']).toBeNull();
  });

  it.each([0, null])('that took %p ms', (workedMs) => {
    expect(workerCompleted(TOLD, { ...end, workedMs }).outcome['elapsed_ms']).toBe(workedMs);
  });

  it.each([
    ['2026-03-04T05:06:07.088Z', 1],
    ['2026-03-04T05:06:07.089Z', 0],
    ['2026-03-04T05:06:07.090Z', null],
    ['yesterday', null],
  ])('from %s it takes %p ms', (since, elapsed) => {
    expect(elapsedOf(since, TOLD.timestamp)).toBe(elapsed);
  });
});
