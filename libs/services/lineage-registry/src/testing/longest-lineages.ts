import type { CanonicalPath } from '@palimpsest/context-efficiency';
import { MOST_OWNED_PATH_LENGTH } from '@palimpsest/contracts/registry';
import type { LineageEvent } from '../domain/workgroup/workgroup-events.js';
import { MOST_RECORD_LENGTH } from '../domain/workgroup/new-record.js';
import { MOST_PATHS_LENGTH } from '../domain/workgroup/writer-scope.js';
import { registered } from './sample-events.js';

/** Three bytes in UTF-8, the most of one code unit; its own canonical form. */
const LETTER = '\u{20ac}';

/** As many of the longest paths as a lineage may own, below a folder of a name. */
export function longestPaths(name: string): readonly CanonicalPath[] {
  return Array.from({ length: MOST_PATHS_LENGTH / MOST_OWNED_PATH_LENGTH }, (_, place) =>
    `${name}/${place}-`.padEnd(MOST_OWNED_PATH_LENGTH, LETTER),
  );
}

/** A lineage's beginning with all paths that it may own. */
export function widestRegistered(lineageId: string, fence: number): LineageEvent {
  const event = registered(lineageId, fence);
  if (event.type !== 'palimpsest.lineage.registered') return event;
  return { ...event, payload: { ...event.payload, ownedPaths: longestPaths(lineageId) } };
}

/** With all else that it may hold, too. */
export function longestRegistered(lineageId: string, fence: number): LineageEvent {
  const event = widestRegistered(lineageId, fence);
  if (event.type !== 'palimpsest.lineage.registered') return event;
  const { record } = event.payload;
  const room = MOST_RECORD_LENGTH - JSON.stringify({ ...record, scope: '' }).length;
  return { ...event, payload: { ...event.payload, record: { ...record, scope: LETTER.repeat(room) } } };
}
