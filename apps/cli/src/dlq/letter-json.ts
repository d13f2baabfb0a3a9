import type { KeptLetter } from '@palimpsest/kernel';

/** A letter as machines are told of it. */
export function letterJson({ place: _, buriedAt, ...letter }: KeptLetter): object {
  return { ...letter, buriedAt: buriedAt.toISOString() };
}
