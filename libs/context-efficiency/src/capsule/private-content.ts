import { refuse } from '../answers/context-refusal.js';
import { leavesOf } from '../json/leaves.js';
import { isPrivateCapsuleKey, isPrivateCapsuleValue } from '../privacy/capsule-marks.js';
import type { Capsule } from './capsule-schema.js';

export const MAX_STRING_BYTES = 4096;

/** Step 4 of §6.1, in the order of the document: of one text the length is judged before the value. */
export function refusePrivateContent(capsule: Capsule): void {
  for (const { kind, text } of leavesOf(capsule)) {
    if (kind === 'key' && isPrivateCapsuleKey(text)) refuse('CAPSULE_PRIVATE_CONTENT');
    if (kind === 'key') continue;
    if (byteLength(text) > MAX_STRING_BYTES) refuse('CAPSULE_STRING_TOO_LONG');
    if (isPrivateCapsuleValue(text)) refuse('CAPSULE_PRIVATE_CONTENT');
  }
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
