import { decisionForm, decisionOf } from './decision-form.js';

describe('the form of a decision', () => {
  it.each([
    [
      { kind: 'next-worker', nextWorkerIds: ['a', 'b'], prompt: '', reason: 'because' },
      { kind: 'next-worker', nextWorkerIds: ['a', 'b'] },
    ],
    [
      { kind: 'ask-user', prompt: 'Which?', nextWorkerIds: ['a'] },
      { kind: 'ask-user', prompt: 'Which?' },
    ],
    [
      { kind: 'terminate', reason: 'done', confidence: 0.1 },
      { kind: 'terminate', reason: 'done' },
    ],
    [{ kind: 'terminate', reason: ' ' }, { kind: 'terminate' }],
  ])('keeps what belongs to its kind: %j', (answer, decision) => {
    expect(decisionOf(answer)).toEqual(decision);
  });

  it.each([
    { kind: 'next-worker' },
    { kind: 'next-worker', nextWorkerIds: [] },
    { kind: 'next-worker', nextWorkerIds: [''] },
    { kind: 'ask-user', prompt: '  ' },
    { kind: 'escalate' },
    {},
    [],
    null,
  ])('is none in %j', (answer) => {
    expect(decisionOf(answer)).toBeUndefined();
  });

  it('is sent as one flat object, and held to what its kind needs', () => {
    const form = decisionForm(['a']);
    if (form.kind !== 'object') throw new TypeError('A decision is an object.');
    expect(Object.keys(form.schema)).toEqual(['type', 'additionalProperties', 'required', 'properties']);
    expect(form.check).toMatchObject(form.schema);
    expect(JSON.stringify(form.check)).toContain('"required":["nextWorkerIds"]');
  });

  it('names the workers that may be named, and no confidence', () => {
    const text = JSON.stringify(decisionForm(['a', 'b']));
    expect(text).toContain('"enum":["a","b"]');
    expect(text).not.toContain('confidence');
    expect(JSON.stringify(decisionForm(undefined))).not.toContain('"enum":["a"');
  });
});
