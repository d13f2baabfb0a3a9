import { z } from 'zod';

/** Letters, digits, `_` and `-`: safe in a URL path, in a bus subject and in a file name. At most 96, so that an event id stays within 128. */
export const runIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,96}$/, 'letters, digits, "_" and "-", at most 96');

export const tenantIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'lower-case letters, digits and "-"');

export const artifactIdSchema = z.string().regex(/^art_[A-Za-z0-9_-]{22,43}$/, 'an artifact id');

/** A place in a run's log: dense from 0. */
export const sequenceSchema = z.int().min(0);

/**
 * The id of the event at a place of a run's log. It is a function of the place, so that a fork that
 * shares a prefix with its source maps ids when it reads and copies nothing.
 */
export function eventIdOf(runId: string, sequence: number): string {
  return `evt-${runId}-${sequence}`;
}

/** The place an event id names, or undefined where the id was not made by {@link eventIdOf}. */
export function placeOfEventId(eventId: string): { runId: string; sequence: number } | undefined {
  const match = /^evt-([A-Za-z0-9_-]{1,96})-(0|[1-9][0-9]{0,14})$/.exec(eventId);
  return match?.[1] && match[2] ? { runId: match[1], sequence: Number(match[2]) } : undefined;
}
