import { refuse } from '../answers/context-refusal.js';
import { factOf, isTruthy, isUnset, requireFacts, type Facts } from '../json/facts.js';
import {
  hashOfDelta,
  isEmptyDelta,
  isSameContent,
  readDelta,
  type KnowledgeDelta,
} from './knowledge-delta.js';
import { normalTarget } from './normal-form.js';
import { identityOf, targetOf } from './target.js';

export type DeltaDecision =
  | { readonly action: 'skip'; readonly reason: 'EMPTY_DELTA' | 'SEMANTIC_DUPLICATE' }
  | { readonly action: 'amend'; readonly reason: 'SEMANTIC_IDENTITY_CHANGED'; readonly KnowledgeId: string }
  | { readonly action: 'update'; readonly reason: 'SUPERSESSION_CHANGED'; readonly KnowledgeId: string }
  | { readonly action: 'flush'; readonly reason: FlushReason }
  | { readonly action: 'batch'; readonly reason: 'NORMAL_DELTA' };

export type FlushReason = 'EXPLICIT_SAVE' | 'INTERRUPTION_SENSITIVE' | 'HIGH_RISK' | 'DURABILITY_REQUIRED';

const SEVERITIES = ['LOW', 'MEDIUM', 'HIGH', 'CRITICAL'];

/** What becomes of a piece of knowledge (contract §10.2): the first row that applies decides. */
export function decideDelta(input: unknown): DeltaDecision {
  const facts = requireFacts(input);
  const severity = severityOf(facts);
  const delta = readDelta(factOf(facts, 'delta'));
  if (isEmptyDelta(delta)) return { action: 'skip', reason: 'EMPTY_DELTA' };
  const previous = listUnder(facts, 'previous_deltas').map(readDelta);
  return (
    duplicate(delta, previous, listUnder(facts, 'previous_hashes')) ??
    amended(delta, previous) ??
    updated(delta, previous) ??
    flushed(delta, facts, severity) ?? { action: 'batch', reason: 'NORMAL_DELTA' }
  );
}

function severityOf(facts: Facts): string | null {
  const severity = factOf(facts, 'severity');
  if (isUnset(severity)) return null;
  const word = typeof severity === 'string' ? severity.trim().toUpperCase() : '';
  return SEVERITIES.includes(word) ? word : refuse('INVALID_SEVERITY');
}

function listUnder(facts: Facts, name: string): readonly unknown[] {
  const list = factOf(facts, name);
  if (isUnset(list)) return [];
  return Array.isArray(list) ? list : refuse('INVALID_REQUEST');
}

/** Rows 3 and 4: what has the delta hash of a previous delta has its content as well. */
function duplicate(
  delta: KnowledgeDelta,
  previous: readonly KnowledgeDelta[],
  hashes: readonly unknown[],
): DeltaDecision | undefined {
  const isRepeated =
    hashes.includes(hashOfDelta(delta)) || previous.some((other) => isSameContent(other, delta));
  return isRepeated ? { action: 'skip', reason: 'SEMANTIC_DUPLICATE' } : undefined;
}

/** Row 5: what goes by the same key is the same thing, said anew. */
function amended(delta: KnowledgeDelta, previous: readonly KnowledgeDelta[]): DeltaDecision | undefined {
  const matches = delta.key === null ? [] : previous.filter((other) => other.key === delta.key);
  if (matches.length === 0) return undefined;
  return { action: 'amend', reason: 'SEMANTIC_IDENTITY_CHANGED', KnowledgeId: targetOf(matches) };
}

/** Row 6: what it supersedes is among the previous, or superseded by one of them, whatever the category. */
function updated(delta: KnowledgeDelta, previous: readonly KnowledgeDelta[]): DeltaDecision | undefined {
  const target = delta.supersedes;
  if (target === null) return undefined;
  const identified = previous.map((other) => ({ other, identity: identityOf(other) }));
  const matches = identified
    .filter(({ other, identity }) => normalTarget(identity ?? '') === target || other.supersedes === target)
    .map(({ other }) => other);
  if (matches.length === 0) return undefined;
  return { action: 'update', reason: 'SUPERSESSION_CHANGED', KnowledgeId: targetOf(matches) };
}

/** Rows 7 to 10. */
function flushed(
  { category }: KnowledgeDelta,
  facts: Facts,
  severity: string | null,
): DeltaDecision | undefined {
  const reason = flushReason(category, facts, severity);
  return reason && { action: 'flush', reason };
}

function flushReason(
  category: string | null,
  facts: Facts,
  severity: string | null,
): FlushReason | undefined {
  if (isTruthy(facts, 'explicit_save')) return 'EXPLICIT_SAVE';
  if (isTruthy(facts, 'interruption_sensitive')) return 'INTERRUPTION_SENSITIVE';
  if (severity === 'HIGH' || severity === 'CRITICAL') return 'HIGH_RISK';
  return category === 'correction' || category === 'deprecation' ? 'DURABILITY_REQUIRED' : undefined;
}
