import { pollRequestOf } from './poll-request.js';

describe('a poll', () => {
  it.each([
    [{}, { fromSequence: 0, waitMs: 10_000 }],
    [{ lastSequence: '-1' }, { fromSequence: 0, waitMs: 10_000 }],
    [{ lastSequence: '-7' }, { fromSequence: 0, waitMs: 10_000 }],
    [
      { lastSequence: '0', timeout: '1' },
      { fromSequence: 1, waitMs: 1000 },
    ],
    [
      { since: '4', timeout: '0' },
      { fromSequence: 5, waitMs: 0 },
    ],
    [
      { lastSequence: '2', since: '4', timeout: '60' },
      { fromSequence: 3, waitMs: 60_000 },
    ],
    [{ lastSequence: '99999999999999999999' }, { fromSequence: Number.MAX_SAFE_INTEGER, waitMs: 10_000 }],
  ])('%j asks for %j', (query, wanted) => {
    expect(pollRequestOf(query)).toEqual(wanted);
  });

  it.each([
    [{ lastSequence: '' }, 'query.lastSequence'],
    [{ lastSequence: '1.5' }, 'query.lastSequence'],
    [{ lastSequence: '1e3' }, 'query.lastSequence'],
    [{ lastSequence: 'x' }, 'query.lastSequence'],
    [{ lastSequence: ['1', '2'] }, 'query.lastSequence'],
    [{ since: ' 1' }, 'query.since'],
    [{ timeout: '61' }, 'query.timeout'],
    [{ timeout: '-1' }, 'query.timeout'],
    [{ timeout: '0.5' }, 'query.timeout'],
  ])('%j is refused', (query, field) => {
    expect(() => pollRequestOf(query)).toThrow(
      expect.objectContaining({ code: 'validation_error', details: expect.objectContaining({ field }) }),
    );
  });
});
