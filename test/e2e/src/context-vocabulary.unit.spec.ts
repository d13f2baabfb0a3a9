import { readFileSync } from 'node:fs';
import {
  EVENT_WORDS,
  isLineageRecord,
  MESSAGES,
  MODES,
  OPERATION_NAMES,
  PHASES,
  promotionReport,
  PUBLISHED,
  REASONS,
  recordEvent,
  SENSITIVITIES,
  STAGES,
  STRATA,
  type Capsule,
  type DeltaDecision,
  type Invalidation,
  type LineageState,
  type ProvenanceCause,
  type ResultMode,
} from '@palimpsest/context-efficiency';
import { CAPSULE, CURRENT, LINEAGE, pairs } from '@palimpsest/context-efficiency/testing';
import { EVICTION_REASONS } from '@palimpsest/contracts/registry';
import { codeWords } from './api-document/document.js';

const MARKDOWN = readFileSync(new URL('../../../docs/context-vocabulary.md', import.meta.url), 'utf8');

/** Complete by their types: a word that is added is asked for here. */
const STATES = {
  HOT: true,
  COLD_VALID: true,
  RECONCILE_REQUIRED: true,
  INVALID: true,
} as const satisfies Record<LineageState, true>;
const INVALIDATIONS = {
  UNKNOWN_PROVENANCE: true,
  REVIEW_LINEAGE_CONTAMINATION: true,
  PLATFORM_MISMATCH: true,
  WORKGROUP_MISMATCH: true,
  ROLE_MISMATCH: true,
  PHASE_MISMATCH: true,
  FIX_LOOP_MISMATCH: true,
  SPEC_MISMATCH: true,
  SCOPE_MISMATCH: true,
  CHECKPOINT_MISMATCH: true,
  MODEL_MISMATCH: true,
  EFFORT_MISMATCH: true,
  RUNTIME_PREFIX_MISMATCH: true,
  BASELINE_MISMATCH: true,
  TOOLS_MISMATCH: true,
  PERMISSIONS_MISMATCH: true,
  SENSITIVITY_MISMATCH: true,
  NON_RESUMABLE: true,
  FINAL_GATE: true,
  RECONCILIATION_REQUIRED: true,
} as const satisfies Record<Invalidation, true>;
const RESULTS = { ephemeral: true, durable: true, artifact: true } as const satisfies Record<
  ResultMode,
  true
>;
const DELTA_ACTIONS = {
  EMPTY_DELTA: 'skip',
  SEMANTIC_DUPLICATE: 'skip',
  SEMANTIC_IDENTITY_CHANGED: 'amend',
  SUPERSESSION_CHANGED: 'update',
  EXPLICIT_SAVE: 'flush',
  INTERRUPTION_SENSITIVE: 'flush',
  HIGH_RISK: 'flush',
  DURABILITY_REQUIRED: 'flush',
  NORMAL_DELTA: 'batch',
} as const satisfies Record<DeltaDecision['reason'], DeltaDecision['action']>;
const CAUSES = {
  pairs_not_measured: true,
  malformed: true,
  version_mismatch: true,
  runtime_digest_mismatch: true,
  consumed: true,
  stale: true,
  corpus_digest_mismatch: true,
  unknown_key: true,
  bad_signature: true,
} as const satisfies Record<ProvenanceCause, true>;
const OPTIONAL_OF_CAPSULE = {
  evidence: true,
  artifact_refs: true,
  capsule_hash: true,
} as const satisfies Record<Exclude<keyof Capsule, keyof typeof CAPSULE>, true>;

const EVENT = recordEvent({
  event: { event: 'worker_usage', observed_at: '2031-03-10T12:00:00Z', provider: 'other' },
});
const PROMOTION = promotionReport({ pairs: pairs() }, { clock: 0, trustedKeys: undefined });

/** Tables of a section, by the rows of each: the code words of the row's cells. */
function tablesUnder(heading: string): readonly (readonly (readonly string[][])[])[] {
  const section = MARKDOWN.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (section === undefined) return [];
  const tables = section.split(/\n\n/).filter((text) => text.startsWith('| '));
  return tables.map((table) =>
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => [...codeWords(cell)]),
      ),
  );
}

/** What the first column of a section's tables names, in order. */
function namedUnder(heading: string, table = 0): readonly (string | undefined)[] {
  return (tablesUnder(heading)[table] ?? []).map(([first]) => first?.[0]);
}

function rowUnder(heading: string, name: string): readonly string[][] {
  const rows = tablesUnder(heading).flat();
  return rows.find(([first]) => first?.[0] === name)?.slice(1) ?? [];
}

describe('docs/context-vocabulary.md', () => {
  it.each<[string, readonly string[]]>([
    ['Modes', MODES],
    ['Reasons', REASONS],
    ['Phases', PHASES],
    ['Sensitivities', SENSITIVITIES],
    ['Strata', STRATA],
    ['Lineage record', Object.keys(LINEAGE)],
    ['Current facts', Object.keys(CURRENT)],
    ['States', Object.keys(STATES)],
    ['Evictions', EVICTION_REASONS],
    ['Capsule', [...Object.keys(CAPSULE), ...Object.keys(OPTIONAL_OF_CAPSULE)]],
    ['Stages', STAGES],
    ['Event kinds', EVENT_WORDS.event],
    ['Results', Object.keys(RESULTS)],
    ['Causes', Object.keys(CAUSES)],
    ['Gates', PROMOTION.gates.map(({ gate }) => gate)],
  ])('names, below "%s", every word and no other', (heading, words) => {
    const named = namedUnder(heading);
    expect(named.toSorted()).toEqual([...words].toSorted());
  });

  it('has reasons and invalidations in the order in which they are told', () => {
    expect(namedUnder('Reasons')).toEqual(REASONS);
    expect(namedUnder('Invalidations')).toEqual(Object.keys(INVALIDATIONS));
  });

  it('takes the records that it is compared with for whole ones', () => {
    expect(isLineageRecord(LINEAGE)).toBe(true);
    for (const name of Object.keys(CURRENT)) expect(namedUnder('Lineage record')).toContain(name);
  });

  it('names each member of an event, and the words that its labels are of', () => {
    expect(namedUnder('Efficiency event')).toEqual(Object.keys(EVENT));
    const sections = [EVENT.logical, EVENT.billed, EVENT.outcome];
    sections.forEach((section, place) =>
      expect(namedUnder('Efficiency event', place + 1)).toEqual(Object.keys(section)),
    );
    for (const [name, words] of Object.entries(EVENT_WORDS)) {
      if (name !== 'event')
        expect(rowUnder('Efficiency event', name)[0]).toEqual(expect.arrayContaining([...words]));
    }
  });

  it('gives each reason of a delta its action', () => {
    expect(tablesUnder('Knowledge')[0]?.map((row) => row.flat().slice(0, 2))).toEqual(
      Object.entries(DELTA_ACTIONS),
    );
  });

  it('gives each gate its published limit, and the name under which it is tightened', () => {
    const limits = Object.entries(PUBLISHED).filter(([name]) => name !== 'required_strata');
    const section = MARKDOWN.slice(MARKDOWN.indexOf('\n## Gates\n'), MARKDOWN.indexOf('\n## Causes\n'));
    const stated = [...section.matchAll(/\| [≥≤] ([\d.]+) +\| `(\w+)` +\|$/gm)];
    expect(stated.map(([, limit, name]) => [name, Number(limit)])).toEqual(limits);
    expect(codeWords(section)).toContain('required_strata');
  });

  it('names every operation, and every code once', () => {
    const rows = tablesUnder('Codes')[0] ?? [];
    expect(namedUnder('Codes').slice(1)).toEqual(OPERATION_NAMES);
    expect(rows.flatMap(([, codes]) => codes ?? []).toSorted()).toEqual(Object.keys(MESSAGES).toSorted());
  });
});
