import { isFacts } from './facts.js';

export type Leaf = { readonly kind: 'key' | 'text'; readonly text: string };

type Open = { readonly key?: string; readonly value: unknown };

/**
 * Every key and every string of a value, depth first in the order of the document. Without recursion: the depth
 * of a request has no limit (contract §1).
 */
export function* leavesOf(root: unknown): Generator<Leaf> {
  const open: Open[] = [{ value: root }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.key !== undefined) yield { kind: 'key', text: next.key };
    if (typeof next.value === 'string') yield { kind: 'text', text: next.value };
    for (const child of childrenOf(next.value).reverse()) open.push(child);
  }
}

function childrenOf(value: unknown): Open[] {
  if (Array.isArray(value)) return value.map((item: unknown) => ({ value: item }));
  return isFacts(value) ? Object.entries(value).map(([key, member]) => ({ key, value: member })) : [];
}
