import type { JsonValue } from '@palimpsest/contracts';

const workers = (count: number) => Array.from({ length: count }, () => 'w');
const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as JsonValue;

/** What a planner may come up with, and no protocol knows. `private` stands for content. */
export const DECISIONS_THAT_ARE_NONE: readonly (readonly [name: string, decision: JsonValue])[] = [
  ['null', null],
  ['a text', 'private'],
  ['a list', ['private']],
  ['an empty object', {}],
  ['an unknown kind', { kind: 'private' }],
  ['a kind of another type', { kind: 7 }],
  ['no worker', { kind: 'next-worker' }],
  ['an empty list of workers', { kind: 'next-worker', nextWorkerIds: [] }],
  ['a worker without a name', { kind: 'next-worker', nextWorkerIds: ['a', ''] }],
  ['a worker whose name is too long', { kind: 'next-worker', nextWorkerIds: ['w'.repeat(257)] }],
  ['a worker that is no text', { kind: 'next-worker', nextWorkerIds: [{ id: 'private' }] }],
  ['a hundred thousand workers', { kind: 'next-worker', nextWorkerIds: workers(100_000) }],
  ['a confidence below 0', { kind: 'next-worker', nextWorkerIds: ['a'], confidence: -0.1 }],
  ['a confidence above 1', { kind: 'terminate', confidence: 1.1 }],
  ['a confidence that is no number', { kind: 'terminate', confidence: 'private' }],
  ['a stray member', { kind: 'next-worker', nextWorkerIds: ['a'], private: true }],
  ['a stray member of any depth', { kind: 'terminate', stray: nested(20_000) }],
  ['a question without words', { kind: 'ask-user', prompt: '' }],
  ['a question of too many words', { kind: 'ask-user', prompt: 'private '.repeat(5000) }],
  ['a reason without words', { kind: 'terminate', reason: '' }],
  ['a criterion that is not complete', { kind: 'terminate', successCriteria: [{ key: 'private' }] }],
  ['text that cannot be stored', { kind: 'ask-user', prompt: 'private \u0000' }],
  ['half a character', { kind: 'ask-user', prompt: 'private \ud800' }],
];
