import { refuse } from '../answers/context-refusal.js';
import { factOf } from '../json/facts.js';
import type { KnowledgeDelta } from './knowledge-delta.js';

const NAMES = ['KnowledgeId', 'knowledgeId', 'knowledge_id'];

/** The one name under which a delta is kept, trimmed; two, even alike, are ambiguous (contract §10.3). */
export function identityOf({ facts }: KnowledgeDelta): string | null {
  const filled = NAMES.map((name) => factOf(facts, name))
    .filter((name) => typeof name === 'string')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return filled.length > 1 ? refuse('VAULT_TARGET_AMBIGUOUS') : (filled[0] ?? null);
}

/** The identity of the one delta that is meant. */
export function targetOf(matches: readonly KnowledgeDelta[]): string {
  const identities = matches.map(identityOf).filter((identity) => identity !== null);
  const [identity] = identities;
  if (identity === undefined) return refuse('VAULT_TARGET_REQUIRED');
  return matches.length === 1 ? identity : refuse('VAULT_TARGET_AMBIGUOUS');
}
