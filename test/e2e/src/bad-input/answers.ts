import type { BadRequest } from './bad-request.js';
import { jsonText } from './json-text.js';
import { requestTo, type Subject } from './subject.js';

const LONG = 'x'.repeat(70_000);

const NO_ANSWERS: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 1],
  ['a text', 'accept'],
  ['a list', ['accept']],
  ['nothing', {}],
];

const OF_APPROVALS: readonly (readonly [string, unknown])[] = [
  ...NO_ANSWERS,
  ['an unknown action', { action: 'maybe' }],
  ['an action that the gate does not offer', { action: 'edit-accept', editedArtifactData: {} }],
  ['an action in capitals', { action: 'ACCEPT' }],
  ['a number for an action', { action: 1 }],
  ['a list for an action', { action: ['accept'] }],
  ['no action', { action: null }],
  ['a long action', { action: LONG }],
  ['an action of every object', { action: 'constructor' }],
  ['an action named __proto__', { action: '__proto__' }],
  ['an unknown decision', { decision: 'perhaps' }],
  ['a comment beyond what an event holds', { action: 'accept', comment: LONG }],
];

const OF_CLARIFICATIONS: readonly (readonly [string, unknown])[] = [
  ...NO_ANSWERS,
  ['no answers', { answers: {} }],
  ['an empty list of answers', { answers: [] }],
  ['answers of another type', { answers: 'blue' }],
  ['an answer to another question', { answers: { q2: 'blue' } }],
  ['an answer beyond what an event holds', { answers: { q1: LONG } }],
];

const OF_EXTERNAL_EVENTS: readonly (readonly [string, unknown])[] = [
  ...NO_ANSWERS,
  ['another correlation', { correlation: { orderId: 'another', status: 'completed' } }],
  ['half a correlation', { correlation: { orderId: 'fixture-order-1' } }],
  ['a list for a correlation', { correlation: ['fixture-order-1', 'completed'] }],
];

export type Waiting = {
  readonly approval: string;
  readonly clarification: string;
  readonly externalEvent: string;
};

/** Answers that what a run waits for does not take, though every JSON is taken in their place. `waiting`: run ids. */
export function badAnswers(subject: Subject, waiting: Waiting): readonly BadRequest[] {
  return [
    ...to(subject, { runId: waiting.approval, nodeId: 'gate' }, OF_APPROVALS),
    ...to(subject, { runId: waiting.clarification, nodeId: 'ask' }, OF_CLARIFICATIONS),
    ...to(subject, { runId: waiting.externalEvent, nodeId: 'wait-for-external' }, OF_EXTERNAL_EVENTS),
  ];
}

function to(
  subject: Subject,
  params: { readonly runId: string; readonly nodeId: string },
  answers: readonly (readonly [string, unknown])[],
): readonly BadRequest[] {
  return answers.map(([label, resumeValue]) => ({
    label: `${params.nodeId}: ${label}`,
    refused: true,
    statuses: [400, 413, 422],
    request: requestTo(subject, { params, body: jsonText({ resumeValue }) }),
  }));
}
