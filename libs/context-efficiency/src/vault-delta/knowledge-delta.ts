import { refuse } from '../answers/context-refusal.js';
import { hashOf } from '../hashing/digests.js';
import { factOf, isFacts, isUnset, NO_FACTS, type Facts } from '../json/facts.js';
import { canonicalJson } from '../json/canonical-json.js';
import { normalTarget, normalText } from './normal-form.js';

/** A delta in normal form. */
export type KnowledgeDelta = {
  readonly category: string | null;
  readonly title: string;
  readonly content: string;
  readonly key: string | null;
  readonly supersedes: string | null;
  /** As it came: its identity is read only where it counts. */
  readonly facts: Facts;
};

/** What is unset or no object is an empty delta; a text of another type is `INVALID_REQUEST` (contract §10). */
export function readDelta(value: unknown): KnowledgeDelta {
  const facts = isFacts(value) ? value : NO_FACTS;
  const [category, key] = [textUnder(facts, 'category') || null, textUnder(facts, 'semantic_key') || null];
  const [title, content] = [textUnder(facts, 'title'), textUnder(facts, 'content')];
  return { category, title, content, key, supersedes: targetUnder(facts, 'supersedes'), facts };
}

/** The delta hash of §10.1. */
export function hashOfDelta({ category, content, key, supersedes, title }: KnowledgeDelta): string {
  return hashOf(canonicalJson({ category, content, semantic_key: key, supersedes, title }));
}

/** The same content hash, without hashing. */
export function isSameContent(one: KnowledgeDelta, other: KnowledgeDelta): boolean {
  return one.category === other.category && one.title === other.title && one.content === other.content;
}

export function isEmptyDelta({ title, content, supersedes }: KnowledgeDelta): boolean {
  return title === '' && content === '' && supersedes === null;
}

function textUnder(facts: Facts, name: string): string {
  const text = factOf(facts, name);
  if (isUnset(text)) return '';
  return typeof text === 'string' ? normalText(text) : refuse('INVALID_REQUEST');
}

function targetUnder(facts: Facts, name: string): string | null {
  const target = factOf(facts, name);
  return (typeof target === 'string' && normalTarget(target)) || null;
}
