import { ValidationError } from '../errors/known-errors.js';

/** The last run of a list page: lists are ordered by time of creation, then id, both descending. */
export type RunListPlace = { readonly createdAt: Date; readonly runId: string };

export function runListCursor(place: RunListPlace): string {
  return `${place.createdAt.getTime().toString(36)}.${place.runId}`;
}

export function placeOfRunListCursor(cursor: string): RunListPlace {
  const match = /^(-?[0-9a-z]{1,9})\.([A-Za-z0-9_-]{1,96})$/.exec(cursor);
  const createdAt = new Date(match?.[1] ? Number.parseInt(match[1], 36) : Number.NaN);
  if (!match?.[2] || Number.isNaN(createdAt.getTime()))
    throw new ValidationError('The cursor is not one that a list of runs gave.', { field: 'cursor' });
  return { createdAt, runId: match[2] };
}
