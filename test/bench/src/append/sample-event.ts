import { MESSAGE_APPENDED, type NewRunEvent } from '@palimpsest/contracts';

/** What a turn leaves in the log. */
export function sampleEvent(place: number): NewRunEvent {
  return {
    type: MESSAGE_APPENDED,
    payload: { role: 'user', artifactId: `art_${String(place).padStart(32, 'a')}`, toolCallIds: [] },
    schemaVersion: 1,
    counts: { o200k_base: 61, cl100k_base: 62, chars: 270 },
  };
}
