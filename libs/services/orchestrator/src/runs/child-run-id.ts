import { createHash } from 'node:crypto';

/** Id of the child that a parent's `dispatch.began` at this sequence leads to: the same for whoever asks, whenever. */
export function childRunIdOf(parentRunId: string, began: number): string {
  return `run_${createHash('sha256').update(`${parentRunId}:${began}`).digest('base64url')}`;
}
